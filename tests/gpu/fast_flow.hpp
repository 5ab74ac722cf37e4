// SPDX-License-Identifier: GPL-3.0-or-later
// Ensembles of what moves faster than the autocorrelation tells, with its velocity.
#pragma once

#include "tests/gpu/flow_frames.hpp"
#include "tests/support/moved_speckle.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

namespace echolux::test {

/// Speckle that moves towards the probe by so many times the largest velocity of the
/// autocorrelation, a quarter of a wavelength per frame.
inline HostFrame movingSpeckle(double times, std::int64_t frames = 6, std::int64_t depths = 200,
                               std::int64_t laterals = 8) {
    const MovedSpeckle speckle(depths, laterals);
    const double step = -0.25 * times * MovedSpeckle::kWavelengthM;
    // Symmetric about the middle, so that what leaves above equals what leaves below.
    const double middle = 0.5 * static_cast<double>(frames - 1);
    return speckle.frames(frames, [&](double z, std::int64_t frame) {
        return z + step * (static_cast<double>(frame) - middle);
    });
}

/// Mean and standard deviation of the velocities away from the borders.
struct FoundVelocity {
    double mean = 0.0;
    double deviation = 0.0;
};
inline FoundVelocity foundVelocity(const HostFrame& velocity, std::size_t border) {
    const auto values = velocity.as<float>();
    const auto laterals = static_cast<std::size_t>(velocity.spec.axes.back().size);
    double sum = 0.0;
    double squares = 0.0;
    const std::size_t first = border * laterals;
    const std::size_t end = values.size() - first;
    for (std::size_t i = first; i < end; ++i) {
        sum += values[i];
        squares += static_cast<double>(values[i]) * values[i];
    }
    const auto count = static_cast<double>(end - first);
    const double mean = sum / count;
    return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean))};
}

/// Intervals that alternate with the ratio m : m + 1.
struct Staggering {
    std::string id;
    int shorter;

    /// Largest velocity, as a multiple of that of equal intervals.
    double reach() const { return 0.5 * (2.0 * shorter + 1.0); }
};
inline const std::array<Staggering, 4> kStaggerings{
    {{"one_to_two", 1}, {"two_to_three", 2}, {"three_to_four", 3}, {"four_to_five", 4}}};

/// Every pixel turns by `phase` in t, frames follow each other after m t and (m + 1) t, and have
/// noise of this standard deviation beside an amplitude of 1.
inline HostFrame staggeredTone(const FrameSpec& spec, const Staggering& of, double phase,
                               double deviation = 0.0) {
    HostFrame frame(spec);
    auto* samples = reinterpret_cast<std::complex<float>*>(frame.bytes.data());
    const std::int64_t pixels = spec.count() / spec.axes.front().size;
    std::mt19937 random(23);
    std::normal_distribution<double> each(0.0, deviation / std::numbers::sqrt2);
    for (std::int64_t f = 0; f < spec.axes.front().size; ++f) {
        const std::int64_t t = f / 2 * (2 * of.shorter + 1) + f % 2 * of.shorter;
        for (std::int64_t p = 0; p < pixels; ++p) {
            std::complex<double> value =
                std::polar(1.0, phase * static_cast<double>(t) + 0.3 * static_cast<double>(p));
            if (deviation > 0.0) value += std::complex<double>(each(random), each(random));
            samples[f * pixels + p] = std::complex<float>(value);
        }
    }
    return frame;
}

} // namespace echolux::test
