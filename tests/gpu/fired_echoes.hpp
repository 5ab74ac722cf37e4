// SPDX-License-Identifier: GPL-3.0-or-later
// Echoes of a point from waves that are summed from single elements, each fired at its own time, in
// a medium of any speed of sound: no wave is taken as ideal.
#pragma once

#include "gpu/core/firing.hpp"
#include "tests/gpu/beamform_run.hpp"

#include <cmath>
#include <complex>
#include <vector>

namespace echolux::test {

/// When elements fire, [transmit][element] in s on the common clock; NaN: silent.
using FiringTimes = std::vector<std::vector<double>>;

/// The times that a device sets which takes `speed` for the speed of sound.
inline FiringTimes timesFor(const Acquisition& a, double speed) {
    FiringTimes times;
    for (const Transmit& t : a.transmits) {
        std::vector<double>& row = times.emplace_back();
        for (std::size_t e = 0; e < a.probe.elements.size(); ++e) {
            const bool fires = t.apodization.empty() || t.apodization[e] != 0.0F;
            row.push_back(fires ? idealDelay(t, a.probe.elements[e], speed, a.steering)
                                : std::nan(""));
        }
    }
    return times;
}

/// The wave of one transmit at a point, as an analytic signal of time on a fine grid.
class WaveAtPoint {
public:
    WaveAtPoint(const std::vector<Point>& elements, const std::vector<double>& fires,
                const Point& point, double speed, double fcHz)
        : m_step(1.0 / (24.0 * fcHz)) {
        std::vector<double> arrivals;
        for (std::size_t e = 0; e < elements.size(); ++e)
            if (!std::isnan(fires[e]))
                arrivals.push_back(fires[e] + distance(elements[e], point) / speed);
        const auto [first, last] = std::ranges::minmax(arrivals);
        const double reach = 5.0 / fcHz;
        m_begin = first - reach;
        const auto count = static_cast<std::size_t>((last + reach - m_begin) / m_step) + 2;
        for (std::size_t i = 0; i < count; ++i) {
            const double time = m_begin + static_cast<double>(i) * m_step;
            std::complex<double> sum;
            for (const double arrival : arrivals)
                if (std::abs(time - arrival) < reach) sum += pulseAt(time - arrival, fcHz);
            m_values.push_back(sum);
        }
    }
    std::complex<double> at(double time) const {
        const double place = (time - m_begin) / m_step;
        if (!(place >= 0.0) || place >= static_cast<double>(m_values.size() - 1)) return {};
        const auto i = static_cast<std::size_t>(place);
        return m_values[i] + (place - static_cast<double>(i)) * (m_values[i + 1] - m_values[i]);
    }

private:
    double m_step;
    double m_begin = 0.0;
    std::vector<std::complex<double>> m_values;
};

/// IQ frames of `spec`, whose demodulation frequency must be set, with an echo of each point.
inline HostFrame firedEchoes(const FrameSpec& spec, const FiringTimes& times, double speed,
                             const std::vector<Point>& points) {
    HostFrame frame(spec);
    const Acquisition& a = *spec.acquisition;
    const auto samples = static_cast<std::size_t>(spec.sizeOf(AxisName::Sample));
    const double fs = spec.samplingFrequencyHz();
    const double fd = spec.demodulationFrequencyHz;
    const auto values = frame.as<Complex>();
    for (std::size_t i = 0; i < a.transmits.size(); ++i) {
        const Transmit& t = a.transmits[i];
        for (const Point& point : points) {
            const WaveAtPoint wave(a.probe.elements, times[i], point, speed,
                                   spec.centreFrequencyHz);
            for (std::size_t e = 0; e < a.probe.elements.size(); ++e) {
                const double back = distance(a.probe.elements[e], point) / speed;
                Complex* line = &values[(i * a.probe.elements.size() + e) * samples];
                for (std::size_t n = 0; n < samples; ++n) {
                    const double time = static_cast<double>(n) / fs + t.firstSampleS;
                    const std::complex<double> value = wave.at(time - back);
                    if (value == std::complex<double>{}) continue;
                    const auto mixed =
                        value * std::polar(1.0, -kTwoPi * fd * (time - t.iqPhaseZeroS));
                    line[n].re += static_cast<float>(mixed.real());
                    line[n].im += static_cast<float>(mixed.imag());
                }
            }
        }
    }
    return frame;
}

} // namespace echolux::test
