// SPDX-License-Identifier: GPL-3.0-or-later
// Waves as TX.focus, Steer and Origin state them where TX.Delay agrees, else as the delays tell.
#include "app/dataset/formats/verasonics_transmits.hpp"

#include "app/dataset/transmit/transmit_clock.hpp"
#include "app/dataset/transmit/transmit_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace echolux {

namespace {

using Values = VerasonicsValues;

class WaveReader {
public:
    WaveReader(const Values& values, const VerasonicsProbe& probe, std::size_t index,
               std::vector<std::string>& warnings)
        : m_values(values), m_probe(probe), m_index(index), m_warnings(warnings),
          m_tx(values.structs("TX")->structAt(index)) {}

    VerasonicsWave read(double depthM) {
        readDelays();
        VerasonicsWave wave;
        const double period = 1.0 / m_probe.frequencyHz;
        const auto fitted = fitWave(elements(), m_delaysS, m_probe.soundSpeedMps, period, depthM);
        const FittedWave named = rated(namedWave());
        const bool few = fitted && fitted->transmit.wave == Wave::Element;
        if (!few && named.spreadS <= 0.25 * period) {
            wave.transmit = named.transmit;
            wave.leadS = named.leadS;
        } else if (fitted) {
            wave.transmit = fitted->transmit;
            wave.leadS = fitted->leadS;
            if (!few && !isAtRest()) m_warnings.push_back(disagreement());
        } else {
            throw error(fmt::format("the delays of TX({}) are those of no plane, diverging, "
                                    "focused or single-element wave, and Echolux cannot image "
                                    "others; check TX.Delay (wavelengths)",
                                    m_index + 1));
        }
        takeOrigin(wave.transmit);
        if (m_partial) wave.transmit.apodization = m_weights;
        readPulse(wave);
        return wave;
    }

private:
    Error error(const std::string& what) const { return m_values.error(what); }
    const std::vector<Point>& elements() const { return m_probe.probe.elements; }

    /// Delays by element; NaN where the element is silent.
    void readDelays() {
        const std::size_t all = elements().size();
        const std::vector<double> weights = listOf("Apod");
        std::vector<double> delays = listOf("Delay");
        const std::size_t aperture = Values::index(m_tx, "aperture");
        if (delays.empty()) {
            delays.assign(weights.empty() ? all : weights.size(), 0.0);
            m_warnings.push_back(fmt::format(
                "TX({}) gives no Delay; its elements are taken to fire at once.", m_index + 1));
        }
        const std::vector<std::size_t> firing = m_probe.elementsOf(delays.size(), aperture);
        if (firing.empty() || (!weights.empty() && weights.size() != delays.size()))
            throw error(fmt::format("TX({}) has {} delays and {} weights (Apod), but the probe {} "
                                    "elements; save the whole workspace again",
                                    m_index + 1, delays.size(), weights.size(), all));
        m_delaysS.assign(all, std::numeric_limits<double>::quiet_NaN());
        m_weights.assign(all, 0.0F);
        for (std::size_t i = 0; i < firing.size(); ++i) {
            const double weight = weights.empty() ? 1.0 : weights[i];
            if (weight == 0.0 || std::isnan(delays[i])) continue;
            if (!std::isfinite(weight) || !std::isfinite(delays[i]))
                throw error(fmt::format("TX({}) has a delay or weight that is no finite number; "
                                        "correct it and save again",
                                        m_index + 1));
            m_delaysS[firing[i]] = delays[i] / m_probe.frequencyHz;
            m_weights[firing[i]] = static_cast<float>(weight);
        }
        const auto silent = std::ranges::count(m_weights, 0.0F);
        if (silent == std::ssize(m_weights))
            throw error(fmt::format("no element fires in TX({}); leave the event out, or correct "
                                    "TX.Apod and save again",
                                    m_index + 1));
        m_partial = std::ranges::any_of(m_weights, [&](float w) { return w != m_weights.front(); });
    }

    std::vector<double> listOf(std::string_view field) const { return Values::list(m_tx, field); }

    std::vector<double> three(std::string_view field) const {
        std::vector<double> values = listOf(field);
        for (double& value : values)
            if (!std::isfinite(value)) value = 0.0;
        values.resize(3, 0.0);
        return values;
    }
    Point placeOf(std::string_view field) const {
        const std::vector<double> at = three(field);
        const double metres = m_probe.wavelengthM;
        return {at[0] * metres, at[1] * metres, at[2] * metres};
    }

    /// focus: 0 plane, above 0 focused, below 0 diverging from behind the array.
    Transmit namedWave() const {
        const std::vector<double> steer = three("Steer");
        Transmit wave;
        wave.angleRad = steer[0];
        wave.elevationRad = steer[1];
        const std::vector<double> point = listOf("FocalPt");
        const double focus = Values::number(m_tx, "focus").value_or(0.0);
        const bool pointed = point.size() == 3 && focus == 0.0 &&
                             std::ranges::any_of(point, [](double v) { return v != 0.0; });
        if (focus == 0.0 && !pointed) return wave;
        const Point u = direction(wave, Steering::Tilts);
        const Point origin = placeOf("Origin");
        const double metres = focus * m_probe.wavelengthM;
        wave = {};
        wave.source = pointed ? placeOf("FocalPt")
                              : Point{origin.x + metres * u.x, origin.y + metres * u.y,
                                      origin.z + metres * u.z};
        wave.wave = wave.source.z > 0.0 ? Wave::Focused : Wave::Diverging;
        return wave;
    }

    /// Median and largest deviation of delay - ideal delay over the elements that fire.
    FittedWave rated(const Transmit& wave) const {
        FittedWave result{.transmit = wave};
        std::vector<double> leads;
        for (std::size_t e = 0; e < elements().size(); ++e)
            if (!std::isnan(m_delaysS[e]))
                leads.push_back(m_delaysS[e] -
                                idealDelay(wave, elements()[e], m_probe.soundSpeedMps));
        result.leadS = median(leads);
        for (const double lead : leads)
            result.spreadS = std::max(result.spreadS, std::abs(lead - result.leadS));
        return result;
    }

    /// True where neither focus nor angle is given. A curved array then sends the wave of its
    /// shape.
    bool isAtRest() const {
        const std::vector<double> steer = three("Steer");
        return steer[0] == 0.0 && steer[1] == 0.0 &&
               Values::number(m_tx, "focus").value_or(0.0) == 0.0;
    }

    std::string disagreement() const {
        return fmt::format("TX({}) names another wave (focus, Steer, Origin) than its delays are "
                           "those of; the delays are used.",
                           m_index + 1);
    }

    void takeOrigin(Transmit& transmit) const {
        transmit.origin = placeOf("Origin");
        if (transmit.origin != Point{} || !m_partial) return;
        // Without an origin: the middle of the elements that fire.
        Point sum;
        double count = 0.0;
        for (std::size_t e = 0; e < elements().size(); ++e) {
            if (m_weights[e] == 0.0F) continue;
            const Point& p = elements()[e];
            sum = {sum.x + p.x, sum.y + p.y, sum.z + p.z};
            count += 1.0;
        }
        transmit.origin = {sum.x / count, sum.y / count, sum.z / count};
    }

    /// TW.peak: two-way distance from the start of the pulse to its middle, in wavelengths.
    void readPulse(VerasonicsWave& wave) {
        const std::size_t number = std::max<std::size_t>(Values::index(m_tx, "waveform"), 1);
        const MatValue* pulses = m_values.structs("TW");
        const MatValue* pulse = pulses != nullptr && number <= pulses->structs()
                                    ? &pulses->structAt(number - 1)
                                    : nullptr;
        const auto peak = pulse != nullptr ? Values::number(*pulse, "peak") : std::nullopt;
        if (!peak)
            m_warnings.emplace_back("TW gives no peak, so that echoes lie deep by half the "
                                    "length of the pulse.");
        wave.leadS += peak.value_or(0.0) / m_probe.frequencyHz + 2.0 * m_probe.lensS;
        wave.pulseHz = m_probe.frequencyHz;
        if (pulse == nullptr) return;
        const std::vector<double> parameters = Values::list(*pulse, "Parameters");
        const std::string type = Values::text(*pulse, "type");
        // NOTE: on older systems the parameters count clock cycles.
        constexpr double kMostOff = 4.0;
        if (parameters.empty() || !equalsIgnoringCase(type, "parametric")) return;
        const double hertz = parameters.front() * 1e6;
        if (hertz > m_probe.frequencyHz / kMostOff && hertz < m_probe.frequencyHz * kMostOff)
            wave.pulseHz = hertz;
    }

    const Values& m_values;
    const VerasonicsProbe& m_probe;
    std::size_t m_index;
    std::vector<std::string>& m_warnings;
    const MatValue& m_tx;
    std::vector<double> m_delaysS;
    std::vector<float> m_weights;
    bool m_partial = false; ///< the elements do not all fire alike
};

} // namespace

VerasonicsWave readVerasonicsWave(const VerasonicsValues& values, const VerasonicsProbe& probe,
                                  std::size_t index, double depthM,
                                  std::vector<std::string>& warnings) {
    return WaveReader(values, probe, index, warnings).read(depthM);
}

} // namespace echolux
