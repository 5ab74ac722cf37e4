// SPDX-License-Identifier: GPL-3.0-or-later
// Angles, foci, sub-apertures and listening elements of the transmits that a sidecar describes.
#include "app/dataset/sidecar/sidecar_geometry.hpp"

#include "app/dataset/transmit/beam_origins.hpp"
#include "app/dataset/transmit/transmit_fit.hpp"
#include "gpu/core/firing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace echolux {

namespace {

class SidecarWaveReader {
public:
    SidecarWaveReader(const SidecarNumbers& numbers, const Sidecar& sidecar,
                      const ArrayExtents& extents, double fs, RecordingInfo& info,
                      Acquisition& acquisition)
        : m_numbers(numbers), m_sidecar(sidecar), m_extents(extents), m_fs(fs), m_info(info),
          m_acquisition(acquisition), m_elements(acquisition.probe.elements),
          m_transmits(acquisition.transmits) {}

    std::vector<double> read() {
        m_acquisition.steering = m_sidecar.steering;
        m_transmits.resize(static_cast<std::size_t>(m_extents.transmits));
        for (Transmit& transmit : m_transmits) transmit.wave = m_sidecar.wave;
        fireParts();
        if (m_sidecar.has("transmit.delays")) takeDelays();
        takeOrigins();
        if (!m_sidecar.has("transmit.delays")) takeWaves();
        listen();
        weighOverRange();
        return m_delayLeads;
    }

private:
    void takeWaves() {
        switch (m_sidecar.wave) {
        case Wave::Plane: steer(); break;
        case Wave::Diverging:
        case Wave::Focused: takeSources(); break;
        case Wave::Element: fireSingly(); break;
        case Wave::None: break;
        }
    }

    /// The waves that the delays of the elements send. An element with no number, or without a
    /// weight, is silent.
    void takeDelays() {
        const std::size_t elements = m_elements.size();
        const std::size_t count = m_transmits.size();
        const auto delays = m_numbers.allOrNaN("transmit.delays");
        const bool same = delays.size() == elements;
        if (!same && delays.size() != elements * count)
            throw error(fmt::format("transmit.delays has {} numbers, but {} transmits of {} "
                                    "elements need {}, or {} for all transmits alike",
                                    delays.size(), count, elements, elements * count, elements));
        // The table is [element][transmit], MATLAB's order of dimensions.
        const auto shape = m_numbers.shapeOf("transmit.delays");
        const bool turned = !same && shape && elements != count &&
                            *shape == std::vector<std::int64_t>{static_cast<std::int64_t>(elements),
                                                                static_cast<std::int64_t>(count)};
        double spread = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            std::vector<double> own;
            for (std::size_t e = 0; e < elements; ++e)
                own.push_back(delays[same ? e : turned ? e * count + i : i * elements + e]);
            spread = std::max(spread, fitDelays(i, own));
        }
        m_info.notes.emplace_back(
            "Delays", fmt::format("of the elements; the waves found differ from them by at most "
                                  "{:.3g} ns",
                                  spread * 1e9));
    }

    /// Returns the greatest deviation from the wave found, in s.
    double fitDelays(std::size_t i, std::vector<double>& delays) {
        Transmit& t = m_transmits[i];
        for (std::size_t e = 0; e < delays.size(); ++e)
            if (!t.apodization.empty() && t.apodization[e] == 0.0F)
                delays[e] = std::numeric_limits<double>::quiet_NaN();
        const auto silent = [](double delay) { return std::isnan(delay); };
        if (std::ranges::all_of(delays, silent))
            throw error(fmt::format("no element fires in transmit {}: transmit.delays has no "
                                    "number for it",
                                    i + 1));
        if (t.apodization.empty() && std::ranges::any_of(delays, silent))
            for (const double delay : delays)
                t.apodization.push_back(std::isnan(delay) ? 0.0F : 1.0F);
        const double speed = transmitSpeedOf(m_acquisition);
        const double centre = m_info.frame.centreFrequencyHz;
        const double periodS = 1.0 / (centre > 0.0 ? centre : 0.25 * m_fs);
        const double depth = 0.25 * speed * static_cast<double>(m_extents.samples) / m_fs;
        const auto fitted = fitWave(m_elements, delays, speed, periodS, depth);
        if (!fitted)
            throw error(fmt::format("the delays of transmit {} (transmit.delays) are those of no "
                                    "plane, diverging, focused or single-element wave, and "
                                    "Echolux cannot image others; check them (s)",
                                    i + 1));
        t.wave = fitted->transmit.wave;
        t.angleRad = fitted->transmit.angleRad;
        t.elevationRad = fitted->transmit.elevationRad;
        t.source = fitted->transmit.source;
        m_delayLeads.push_back(fitted->leadS);
        return fitted->spreadS;
    }

    Error error(const std::string& what) const { return m_numbers.error(what); }

    std::vector<double> perTransmit(const char* key, double fallback) const {
        return m_numbers.perTransmit(key, fallback, m_transmits.size());
    }

    void takeAngles() {
        const auto angles = perTransmit("transmit.angles", 0.0);
        const auto elevations = perTransmit("transmit.elevations", 0.0);
        for (std::size_t i = 0; i < m_transmits.size(); ++i) {
            m_transmits[i].angleRad = checked(angles[i], i + 1, "angle", "angles");
            m_transmits[i].elevationRad = checked(elevations[i], i + 1, "elevation", "elevations");
        }
    }

    double checked(double angle, std::size_t number, const char* what, const char* key) const {
        if (std::abs(angle) >= 0.5 * std::numbers::pi)
            throw error(fmt::format("the {} of transmit {} is {:g} rad, but plane waves are "
                                    "steered by less than a quarter turn ({} are in rad, "
                                    "{}_deg in degrees)",
                                    what, number, angle, key, key));
        return angle;
    }

    void steer() {
        if (!m_sidecar.has("transmit.angles") && !m_sidecar.has("transmit.elevations") &&
            m_transmits.size() > 1)
            throw error(fmt::format("the data have {} transmits, so transmit.angles_deg (or angles "
                                    "in rad) must say how each is steered",
                                    m_transmits.size()));
        takeAngles();
    }

    /// Sources from places, or from distances along the beam: source = origin +- focus times its
    /// direction.
    void takeSources() {
        if (m_sidecar.has("transmit.sources")) {
            const auto sources = m_numbers.points("transmit.sources", m_transmits.size());
            for (std::size_t i = 0; i < m_transmits.size(); ++i) m_transmits[i].source = sources[i];
            return;
        }
        takeAngles();
        const auto distances = perTransmit("transmit.focus", 0.0);
        for (std::size_t i = 0; i < m_transmits.size(); ++i) {
            if (distances[i] <= 0.0)
                throw error(fmt::format("transmit.focus of transmit {} is {:g} m, but it is the "
                                        "distance from the origin, above 0",
                                        i + 1, distances[i]));
            Transmit& t = m_transmits[i];
            const Point u = direction(t, m_acquisition.steering);
            const double metres = t.wave == Wave::Focused ? distances[i] : -distances[i];
            t.source = {t.origin.x + metres * u.x, t.origin.y + metres * u.y,
                        t.origin.z + metres * u.z};
            t.angleRad = 0.0;
            t.elevationRad = 0.0;
        }
    }

    void fireSingly() {
        std::vector<double> fired = m_numbers.all("transmit.elements");
        if (fired.empty())
            for (std::size_t i = 0; i < m_transmits.size(); ++i)
                fired.push_back(static_cast<double>(i) + m_sidecar.firstElement);
        if (fired.size() != m_transmits.size())
            throw error(fmt::format("transmit.elements has {} entries, but the data have {} "
                                    "transmits",
                                    fired.size(), m_transmits.size()));
        for (std::size_t i = 0; i < m_transmits.size(); ++i) {
            fired[i] -= m_sidecar.firstElement;
            if (fired[i] < 0.0 || fired[i] >= static_cast<double>(m_elements.size()) ||
                fired[i] != std::floor(fired[i]))
                throw error(fmt::format("transmit {} fires element {:g}, but elements are counted "
                                        "from {:g} to {:g} (transmit.first_element)",
                                        i + 1, fired[i] + m_sidecar.firstElement,
                                        m_sidecar.firstElement, lastElement()));
            m_transmits[i].source = m_elements[static_cast<std::size_t>(fired[i])];
        }
    }

    /// The elements that fire: a run of them, or weights of all.
    void fireParts() {
        if (m_sidecar.has("transmit.apodization")) return weigh();
        if (!m_sidecar.has("transmit.active_count")) return;
        const auto first = perTransmit("transmit.active_first", 0.0);
        const auto count = perTransmit("transmit.active_count", 0.0);
        for (std::size_t i = 0; i < m_transmits.size(); ++i) {
            const std::size_t from = indexOf("transmit.active_first", first[i]);
            const auto room = static_cast<double>(m_elements.size() - from);
            if (!(count[i] >= 1.0 && count[i] <= room) || count[i] != std::floor(count[i]))
                throw error(fmt::format("transmit {} fires {:g} elements from element {} on, but "
                                        "there are {}",
                                        i + 1, count[i], from, m_elements.size()));
            m_transmits[i].apodization.assign(m_elements.size(), 0.0F);
            std::fill_n(m_transmits[i].apodization.begin() + static_cast<std::ptrdiff_t>(from),
                        static_cast<std::ptrdiff_t>(count[i]), 1.0F);
        }
    }

    /// Weights [transmit][element], or weights of the elements for every transmit.
    void weigh() {
        const auto weights = m_numbers.all("transmit.apodization");
        const std::size_t count = m_elements.size();
        const bool same = weights.size() == count;
        if (!same && weights.size() != count * m_transmits.size())
            throw error(fmt::format("transmit.apodization has {} numbers, but {} transmits of {} "
                                    "elements need {}, or {} for all transmits alike",
                                    weights.size(), m_transmits.size(), count,
                                    count * m_transmits.size(), count));
        for (std::size_t i = 0; i < m_transmits.size(); ++i) {
            const auto from = weights.begin() + static_cast<std::ptrdiff_t>(same ? 0 : i * count);
            m_transmits[i].apodization.assign(from, from + static_cast<std::ptrdiff_t>(count));
            if (std::ranges::all_of(m_transmits[i].apodization, [](float w) { return w == 0.0F; }))
                throw error(fmt::format("no element fires in transmit {}: transmit.apodization is "
                                        "0 for all",
                                        i + 1));
        }
    }

    void takeOrigins() {
        if (m_sidecar.has("transmit.origins")) {
            const auto origins = m_numbers.points("transmit.origins", m_transmits.size());
            for (std::size_t i = 0; i < m_transmits.size(); ++i) m_transmits[i].origin = origins[i];
            return;
        }
        for (Transmit& transmit : m_transmits)
            if (!transmit.apodization.empty())
                transmit.origin = middleOfFiring(transmit.apodization, m_elements);
    }

    /// The element that each channel hears: named, or a run from the first one on.
    void listen() {
        const auto channels = static_cast<std::size_t>(m_extents.channels);
        auto& heard = m_acquisition.receiveElements;
        if (m_sidecar.has("transmit.receive_first")) {
            for (const double first : perTransmit("transmit.receive_first", 0.0))
                for (std::size_t c = 0; c < channels; ++c)
                    hear("transmit.receive_first", first + static_cast<double>(c));
        } else if (m_sidecar.has("transmit.receive_elements")) {
            const auto named = m_numbers.all("transmit.receive_elements");
            if (named.size() != channels && named.size() != channels * m_transmits.size())
                throw error(fmt::format("transmit.receive_elements has {} numbers, but {} "
                                        "transmits of {} channels need {}, or {} for all "
                                        "transmits alike",
                                        named.size(), m_transmits.size(), channels,
                                        channels * m_transmits.size(), channels));
            // The table is [channel][transmit], MATLAB's order of dimensions.
            const auto shape = m_numbers.shapeOf("transmit.receive_elements");
            const std::size_t count = m_transmits.size();
            const bool turned =
                shape && named.size() == channels * count && channels != count &&
                *shape == std::vector<std::int64_t>{m_extents.channels, m_extents.transmits};
            for (std::size_t i = 0; i < channels * count; ++i)
                hear("transmit.receive_elements",
                     named[turned ? i % channels * count + i / channels : i % named.size()]);
        }
        if (heard.empty() && channels != m_elements.size())
            throw error(fmt::format("the probe has {} elements, but the data {} channels: say with "
                                    "transmit.receive_first or receive_elements which elements the "
                                    "channels hear",
                                    m_elements.size(), channels));
    }

    void weighOverRange() {
        if (!m_sidecar.has("transmit.receive_weights")) return;
        const auto values = m_numbers.table("transmit.receive_weights",
                                            static_cast<std::size_t>(m_extents.channels));
        RangeWeights& weights = m_acquisition.rangeWeights;
        weights.values.assign(values.begin(), values.end());
        weights.firstM = m_numbers.one("transmit.receive_weights_first", 0.0);
        weights.stepM = m_numbers.one("transmit.receive_weights_step", 0.0);
    }

    void hear(const char* key, double element) {
        m_acquisition.receiveElements.push_back(static_cast<std::int32_t>(indexOf(key, element)));
    }

    double lastElement() const {
        return m_sidecar.firstElement + static_cast<double>(m_elements.size()) - 1.0;
    }
    /// Index, from 0, of an element that the sidecar counts from its own first number.
    std::size_t indexOf(const char* key, double element) const {
        return m_numbers.index(key, element, m_elements.size(), m_sidecar.firstElement);
    }

    const SidecarNumbers& m_numbers;
    const Sidecar& m_sidecar;
    const ArrayExtents& m_extents;
    double m_fs;
    RecordingInfo& m_info;
    Acquisition& m_acquisition;
    const std::vector<Point>& m_elements;
    std::vector<Transmit>& m_transmits;
    std::vector<double> m_delayLeads; ///< s, of transmits that are given by delays
};

} // namespace

std::vector<double> describeWaves(const SidecarNumbers& numbers, const Sidecar& sidecar,
                                  const ArrayExtents& extents, double fs, RecordingInfo& info,
                                  Acquisition& acquisition) {
    return SidecarWaveReader(numbers, sidecar, extents, fs, info, acquisition).read();
}

} // namespace echolux
