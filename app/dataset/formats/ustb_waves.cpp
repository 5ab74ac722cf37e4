// SPDX-License-Identifier: GPL-3.0-or-later
// Waves of USTB on the common clock. A pixel is read at (path/c - delay + t_rx - initial_time) fs,
//   plane      path = p.u
//   spherical  path = +-|p - s| (- above the depth of s) - |s| where s.z < -1 mm, else + |s|
// So t = 0 of (file axis + delay) is the wave's passage through the origin. Only for sources on the
// array the wave starts at |s|/c instead. The down-mixer's phase is zero at 0 of the file axis,
// which is at `delay`.
#include "app/dataset/formats/ustb_objects.hpp"
#include "app/dataset/transmit/beam_origins.hpp"
#include "gpu/core/firing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {

namespace {

constexpr double kBehind = -1e-3; ///< m; sources at less depth send diverging waves

enum class Wavefront { Plane = 0, Spherical = 1, Photoacoustic = 2 };

/// Weight, 0 to 1, at `distance` from the middle of an aperture.
double windowed(int window, double distance, double aperture) {
    const double at = distance / aperture;
    if (!(at <= 0.5)) return 0.0;
    const double turn = 2.0 * std::numbers::pi * at;
    const auto tukey = [at](double roll) {
        if (at <= 0.5 * (1.0 - roll)) return 1.0;
        return 0.5 * (1.0 + std::cos(2.0 * std::numbers::pi / roll * (at - 0.5 * roll - 0.5)));
    };
    switch (window) {
    case 2: return 0.5 + 0.5 * std::cos(turn);
    case 3: return 0.53836 + 0.46164 * std::cos(turn);
    case 4: return tukey(0.25);
    case 5: return tukey(0.5);
    case 6: return tukey(0.75);
    default: return 1.0;
    }
}

/// The elements that fire. No weights where the file does not say it.
struct Aperture {
    std::vector<float> weights;
    std::optional<Point> middle;
};

/// uff.apodization of a transmit: a vector, or a window round the point where the line to the focus
/// leaves the array.
Aperture readApodization(const Hdf5Values& object, const std::vector<Point>& elements) {
    std::vector<float> weights;
    std::optional<Point> centre;
    if (const auto vector = object.numbers("apodization_vector");
        vector && vector->size() == elements.size()) {
        weights.assign(vector->begin(), vector->end());
    } else {
        const double window = object.number("window").value_or(0.0);
        const Hdf5Values focus = object.below(object.isGroup("focus") ? "focus" : "scan");
        const auto x = focus.numbers("x");
        const auto y = focus.numbers("y");
        const auto z = focus.numbers("z");
        if (!(window >= 1.0 && window <= 6.0) || !x || !z || x->size() != 1 || z->size() != 1 ||
            z->front() == 0.0)
            return {};
        const std::vector<double> f = object.numbers("f_number").value_or(std::vector{1.0, 1.0});
        if (!(f.front() > 0.0) || !(f.back() > 0.0)) return {};
        Point middle{x->front(), y && y->size() == 1 ? y->front() : 0.0, 0.0};
        if (object.isGroup("origin")) {
            middle = readUstbPoint(object.below("origin")).place();
        } else if (const char* name = object.isGroup("origo") ? "origo" : "apex";
                   object.isGroup(name)) {
            const UstbPoint from = readUstbPoint(object.below(name));
            const Point at = from.place();
            middle.x = std::isinf(from.distance)
                           ? middle.x + z->front() * std::tan(from.azimuth)
                           : at.x - at.z * (middle.x - at.x) / (z->front() - at.z);
        }
        centre = middle;
        const double depth = std::abs(z->front());
        for (const Point& e : elements)
            weights.push_back(static_cast<float>(
                windowed(static_cast<int>(window), std::abs(e.x - middle.x), depth / f.front()) *
                windowed(static_cast<int>(window), std::abs(e.y - middle.y), depth / f.back())));
    }
    const bool usable = std::ranges::all_of(weights, [](float w) { return std::isfinite(w); }) &&
                        std::ranges::any_of(weights, [](float w) { return w != 0.0F; });
    return usable ? Aperture{std::move(weights), centre} : Aperture{};
}

class UstbWaves {
public:
    UstbWaves(const Acquisition& acquisition, double initialTimeS)
        : m_elements(acquisition.probe.elements), m_probe(acquisition.probe),
          m_soundSpeed(acquisition.soundSpeedMps), m_initialTime(initialTimeS) {}

    void add(const Hdf5Values& wave) {
        const double kind = wave.number("wavefront").value_or(1.0);
        const std::size_t number = m_transmits.size() + 1;
        const bool silent = kind == static_cast<double>(Wavefront::Photoacoustic);
        if (!silent && kind != static_cast<double>(Wavefront::Plane) &&
            kind != static_cast<double>(Wavefront::Spherical))
            throw wave.error(fmt::format("wave {} has the wavefront {:g}, but Echolux knows 0 "
                                         "(plane), 1 (spherical) and 2 (photoacoustic); correct it",
                                         number, kind));
        if (!silent && !wave.isGroup("source"))
            throw wave.error(fmt::format("wave {} lacks 'source', from where or in which direction "
                                         "it travels; write the sequence again",
                                         number));
        const UstbPoint source = silent ? UstbPoint{} : readUstbPoint(wave.below("source"));
        Transmit transmit;
        double startS = 0.0; // zero of the common clock, on USTB's clock
        if (silent) {
            transmit.wave = Wave::None;
        } else if (kind == static_cast<double>(Wavefront::Plane) || std::isinf(source.distance)) {
            transmit.wave = Wave::Plane;
            transmit.angleRad = source.azimuth;
            transmit.elevationRad = source.elevation;
        } else {
            startS = readSpherical(source.place(), transmit);
        }
        const double delay = wave.number("delay").value_or(0.0);
        transmit.firstSampleS = m_initialTime + delay - startS;
        transmit.iqPhaseZeroS = delay - startS;
        readAperture(wave, transmit);
        m_transmits.push_back(std::move(transmit));
    }

    /// Finds where beams begin, for files that do not say it.
    void placeBeams(RecordingInfo& info) {
        const auto weighted = [](const Transmit& t) { return !t.apodization.empty(); };
        if (std::ranges::any_of(m_transmits, weighted)) {
            const std::size_t cutOff = echolux::placeBeams(m_probe, m_soundSpeed, m_transmits);
            if (cutOff > 0) info.notes.emplace_back("Beams", cutOffNote(cutOff));
        } else if (placeAboveFoci()) {
            info.notes.emplace_back("Beams", "taken to leave the array right above their foci; the "
                                             "file does not say which elements fire");
        }
    }

    std::vector<Transmit> take() { return std::move(m_transmits); }

private:
    double readSpherical(const Point& source, Transmit& transmit) {
        transmit.source = source;
        const double path = norm(source);
        const double ofUstb = (source.z < kBehind ? -path : path) / m_soundSpeed;
        const double near = m_probe.pitchM > 0.0 ? 0.1 * m_probe.pitchM : 1e-5;
        for (const Point& element : m_elements) {
            if (!(distance(element, source) <= near)) continue;
            transmit.wave = Wave::Element;
            transmit.source = element;
            return ofUstb;
        }
        transmit.wave = source.z < kBehind ? Wave::Diverging
                        : source.z > 0.0   ? Wave::Focused
                                           : Wave::Element;
        return transmit.wave == Wave::Element ? ofUstb : 0.0;
    }

    void readAperture(const Hdf5Values& wave, Transmit& transmit) {
        if (transmit.wave == Wave::Element || transmit.wave == Wave::None) return;
        Aperture aperture;
        if (wave.isGroup("apodization"))
            aperture = readApodization(wave.below("apodization"), m_elements);
        transmit.apodization = std::move(aperture.weights);
        if (transmit.wave != Wave::Focused) return;
        if (aperture.middle && aperture.middle->z < transmit.source.z)
            transmit.origin = *aperture.middle;
        if (!wave.isGroup("origin")) return;
        const UstbPoint origin = readUstbPoint(wave.below("origin"));
        if (std::isfinite(origin.distance) && origin.distance > 0.0 &&
            origin.place().z < transmit.source.z)
            transmit.origin = origin.place();
    }

    /// Places the beams above their foci, where all foci lie at one depth below a linear array or
    /// on an arc round a curved one: such beams leave the array at right angles. Otherwise returns
    /// false.
    bool placeAboveFoci() {
        const auto unsaid = [](const Transmit& t) {
            return t.wave == Wave::Focused && t.origin == Point{};
        };
        if (m_transmits.size() < 2 || !std::ranges::all_of(m_transmits, unsaid)) return false;
        const auto line = ArrayLine::of(m_probe, m_soundSpeed);
        if (!line) return false;
        const auto [least, most] = std::ranges::minmax(m_elements, {}, &Point::x);
        const double half = 0.5 * m_probe.pitchM;
        const auto rangeOf = [&](const Transmit& t) {
            return line->isCurved() ? distance(t.source, line->centre()) : t.source.z;
        };
        const double range = rangeOf(m_transmits.front());
        const auto beside = [&](const Transmit& t) {
            return std::abs(rangeOf(t) - range) <= 1e-3 * range && line->originOf(t.source, 0.0) &&
                   (line->isCurved() ||
                    (t.source.x >= least.x - half && t.source.x <= most.x + half));
        };
        if (!std::ranges::all_of(m_transmits, beside)) return false;
        for (Transmit& t : m_transmits) t.origin = *line->originOf(t.source, 0.0);
        return true;
    }

    const std::vector<Point>& m_elements;
    const Probe& m_probe;
    double m_soundSpeed;
    double m_initialTime;
    std::vector<Transmit> m_transmits;
};

} // namespace

std::vector<Transmit> readUstbWaves(const Hdf5Values& channelData, const Acquisition& acquisition,
                                    double initialTimeS, RecordingInfo& info) {
    if (!channelData.isGroup("sequence"))
        throw channelData.error(fmt::format("'{}' lacks 'sequence', the waves that were sent; "
                                            "write the channel data with them",
                                            channelData.where()));
    UstbWaves waves(acquisition, initialTimeS);
    for (const std::string& where : ustbMembers(*channelData.tree(), channelData.at("sequence")))
        waves.add(Hdf5Values(channelData.tree(), where));
    waves.placeBeams(info);
    return waves.take();
}

} // namespace echolux
