// SPDX-License-Identifier: GPL-3.0-or-later
// Echoes of a plane wave behind a screen, in closed form.
#pragma once

#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <cmath>
#include <numbers>

namespace echolux::test {

inline constexpr std::int64_t kWaveElements = 32;
inline constexpr std::int64_t kWaveSamples = 600;
inline constexpr double kSoundMps = 1540.0;

/// A wave without steering over 32 elements.
inline FrameSpec planeWave() {
    FrameSpec spec = channelSpec(1, kWaveElements, kWaveSamples);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    acquisition->transmits[0] = Transmit{};
    acquisition->soundSpeedMps = kSoundMps;
    spec.acquisition = acquisition;
    return spec;
}

inline std::vector<double> screenOf(double rmsS, std::size_t count) {
    std::vector<double> delays;
    for (std::size_t e = 0; e < count; ++e)
        delays.push_back(rmsS * std::numbers::sqrt2 * std::sin(0.7 * static_cast<double>(e)));
    return delays;
}

inline double pulse(double t, double centreHz) {
    return std::exp(-std::pow(t * centreHz / 1.2, 2.0)) *
           std::cos(2.0 * std::numbers::pi * centreHz * t);
}

/// Echoes of points straight below the array, each element's later by its delay.
inline HostFrame echoes(const FrameSpec& spec, const std::vector<double>& delays) {
    std::vector<float> samples(static_cast<std::size_t>(spec.count()));
    const auto& elements = spec.acquisition->probe.elements;
    for (std::size_t e = 0; e < elements.size(); ++e) {
        for (const double depth : {8e-3, 11e-3, 14e-3, 17e-3}) {
            const double arrival =
                (depth + std::hypot(elements[e].x, depth)) / kSoundMps + delays[e];
            for (std::int64_t n = 0; n < kWaveSamples; ++n) {
                samples[e * kWaveSamples + static_cast<std::size_t>(n)] += static_cast<float>(
                    pulse(static_cast<double>(n) / 20e6 - arrival, spec.centreFrequencyHz));
            }
        }
    }
    return HostFrame(spec, samples);
}

inline Settings wholeRegion() {
    return {{"region_lateral", 0.0},
            {"region_depth", 12.5e-3},
            {"region_width", 4e-3},
            {"region_height", 11e-3}};
}

} // namespace echolux::test
