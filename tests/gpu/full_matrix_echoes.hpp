// SPDX-License-Identifier: GPL-3.0-or-later
// What an array records of each of its elements firing alone before one reflector, in closed form.
#pragma once

#include "gpu/core/firing.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <cmath>
#include <numbers>

namespace echolux::test {

inline constexpr std::int64_t kElements = 12;
inline constexpr std::int64_t kEchoSamples = 500;
inline constexpr double kSamplingHz = 20e6;
inline constexpr double kCentreHz = 4e6;
inline constexpr double kMixedHz = 3.7e6;

/// Each element fires alone, every second one 3 samples before its record begins.
inline FrameSpec fullMatrix(bool mixed) {
    FrameSpec spec = channelSpec(kElements, kElements, kEchoSamples);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    for (std::size_t e = 0; e < kElements; ++e) {
        Transmit fired;
        fired.wave = Wave::Element;
        fired.source = acquisition->probe.elements[e];
        fired.firstSampleS = e % 2 == 1 ? 3.0 / kSamplingHz : 0.0;
        fired.iqPhaseZeroS = mixed ? 40e-9 * static_cast<double>(e) : 0.0;
        acquisition->transmits[e] = fired;
    }
    spec.acquisition = acquisition;
    if (mixed) {
        spec.dtype = DType::ComplexF32;
        spec.demodulationFrequencyHz = kMixedHz;
    }
    return spec;
}

inline double lengthOf(double t) { return std::exp(-std::pow(t * kCentreHz / 1.5, 2.0)); }

/// Echo of one reflector at (1, 0, 9) mm that arrives `later` than from element to element.
inline Complex echoAt(const FrameSpec& spec, std::size_t sender, std::size_t receiver, double t,
                      double later, double phaseZeroS) {
    const auto& e = spec.acquisition->probe.elements;
    const Point at{1e-3, 0.0, 9e-3};
    const double arrival =
        (distance(e[sender], at) + distance(e[receiver], at)) / spec.acquisition->soundSpeedMps;
    const double since = t - arrival - later;
    constexpr double kOverS = 1.6e-6; // 1e-8 of the peak
    if (std::abs(since) > kOverS) return {};
    if (!isComplex(spec.dtype)) {
        return {static_cast<float>(lengthOf(since) *
                                   std::cos(2.0 * std::numbers::pi * kCentreHz * since)),
                0.0F};
    }
    const double angle = 2.0 * std::numbers::pi * (kCentreHz * since - kMixedHz * (t - phaseZeroS));
    return {static_cast<float>(lengthOf(since) * std::cos(angle)),
            static_cast<float>(lengthOf(since) * std::sin(angle))};
}

inline HostFrame frameOf(const FrameSpec& spec, const std::vector<Complex>& values) {
    if (isComplex(spec.dtype)) return HostFrame(spec, values);
    std::vector<float> real;
    real.reserve(values.size());
    for (const Complex value : values) real.push_back(value.re);
    return HostFrame(spec, real);
}

inline const std::vector<double> kNone(kElements, 0.0);

/// What the elements record of their own firings; sound takes `out[e]` longer from element e and
/// `back[e]` longer to it, and is `gain[e]` times as strong on both ways.
inline HostFrame recorded(const FrameSpec& spec, const std::vector<double>& out,
                          const std::vector<double>& back = kNone,
                          const std::vector<double>& gain = std::vector<double>(kElements, 1.0)) {
    std::vector<Complex> values;
    for (std::size_t s = 0; s < kElements; ++s) {
        const Transmit& fired = spec.acquisition->transmits[s];
        for (std::size_t r = 0; r < kElements; ++r) {
            for (std::int64_t n = 0; n < kEchoSamples; ++n) {
                const double t = static_cast<double>(n) / kSamplingHz + fired.firstSampleS;
                values.push_back(static_cast<float>(gain[s] * gain[r]) *
                                 echoAt(spec, s, r, t, out[s] + back[r], fired.iqPhaseZeroS));
            }
        }
    }
    return frameOf(spec, values);
}

/// What the array records of the waves of `sent`, all of whose elements fire when they should.
inline HostFrame sentTogether(const FrameSpec& spec, const FrameSpec& sent) {
    std::vector<Complex> values;
    for (const Transmit& wave : sent.acquisition->transmits) {
        for (std::size_t r = 0; r < kElements; ++r) {
            for (std::int64_t n = 0; n < kEchoSamples; ++n) {
                const double t = static_cast<double>(n) / kSamplingHz + wave.firstSampleS;
                Complex sum;
                for (std::size_t s = 0; s < kElements; ++s) {
                    const double fires =
                        idealDelay(wave, spec.acquisition->probe.elements[s],
                                   spec.acquisition->soundSpeedMps, spec.acquisition->steering);
                    const float weight = wave.apodization.empty() ? 1.0F : wave.apodization[s];
                    sum = sum + weight * echoAt(spec, s, r, t, fires, wave.iqPhaseZeroS);
                }
                values.push_back(sum);
            }
        }
    }
    return frameOf(sent, values);
}

} // namespace echolux::test
