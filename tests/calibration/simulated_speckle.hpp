// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data of speckle, with any speed of sound, of a device that believes in 1540 m/s.
#pragma once

#include "app/calibration/sound_speed.hpp"
#include "gpu/core/firing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <ostream>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace echolux::testing_support {

constexpr double kTwoPi = 2.0 * std::numbers::pi;
constexpr double kDelaysForMps = 1540.0; ///< what the device believes
constexpr double kCentreHz = 4e6;
constexpr double kFsHz = 20e6;
constexpr double kPitchM = 0.3e-3;

struct Sent {
    std::string name;
    double trueMps = 1540.0;
    std::vector<Transmit> waves;
    double bendM = 0.0; ///< radius of a curved array; 0: flat
    std::int64_t elements = 128;
    double depthM = 50e-3;
    int scatterers = 3000;
    double withinMps = 1.0;
};
inline void PrintTo(const Sent& sent, std::ostream* out) { *out << sent.name; }

inline Point elementAt(const Sent& sent, std::int64_t e) {
    const double along =
        (static_cast<double>(e) - 0.5 * static_cast<double>(sent.elements - 1)) * kPitchM;
    if (sent.bendM == 0.0) return {along, 0.0, 0.0};
    return {sent.bendM * std::sin(along / sent.bendM), 0.0,
            sent.bendM * (std::cos(along / sent.bendM) - 1.0)};
}

inline FrameSpec specOf(const Sent& sent) {
    auto acquisition = std::make_shared<Acquisition>();
    for (std::int64_t e = 0; e < sent.elements; ++e)
        acquisition->probe.elements.push_back(elementAt(sent, e));
    acquisition->probe.pitchM = kPitchM;
    acquisition->soundSpeedMps = kDelaysForMps;
    acquisition->transmits = sent.waves;
    FrameSpec spec;
    const auto samples = static_cast<std::int64_t>(2.4 * sent.depthM / 1500.0 * kFsHz);
    spec.axes = {{AxisName::Transmit, std::ssize(sent.waves), 1.0, 0.0, ""},
                 {AxisName::Channel, sent.elements, 1.0, 0.0, ""},
                 {AxisName::Sample, samples, 1.0 / kFsHz, 0.0, "s"}};
    spec.centreFrequencyHz = kCentreHz;
    spec.acquisition = acquisition;
    return spec;
}

/// The first arrival of what the elements send at the times that the device set.
inline double arrivalAt(const FrameSpec& spec, const Transmit& wave, const Point& at,
                        double speedMps) {
    double first = 1e9;
    for (const Point& element : spec.acquisition->probe.elements)
        first = std::min(first, idealDelay(wave, element, kDelaysForMps) +
                                    distance(element, at) / speedMps);
    return first;
}

/// Scatterers at random places, heard by all elements. Directivity and spreading do not count.
/// `laterRad`: of the carrier; a quarter of a turn gives the imaginary part of analytic signals.
inline std::vector<float> specklesOf(const Sent& sent, const FrameSpec& spec,
                                     double laterRad = 0.0) {
    std::mt19937 random(54);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::normal_distribution<double> normal;
    const double halfM = 0.5 * static_cast<double>(sent.elements) * kPitchM + 3e-3;
    const std::int64_t samples = spec.sizeOf(AxisName::Sample);
    std::vector<float> echoes(static_cast<std::size_t>(spec.count()));
    const double width = 0.375 / (0.6 * kCentreHz);
    const auto reach = static_cast<std::int64_t>(4.0 * width * kFsHz);
    for (int i = 0; i < sent.scatterers; ++i) {
        const Point at{halfM * (2.0 * uniform(random) - 1.0), 0.0,
                       8e-3 + (sent.depthM - 8e-3) * uniform(random)};
        const double amplitude = normal(random);
        for (std::size_t t = 0; t < sent.waves.size(); ++t) {
            const double arrival =
                arrivalAt(spec, sent.waves[t], at, sent.trueMps) - sent.waves[t].firstSampleS;
            for (std::int64_t e = 0; e < sent.elements; ++e) {
                const double time = arrival + distance(elementAt(sent, e), at) / sent.trueMps;
                const auto middle = static_cast<std::int64_t>(time * kFsHz);
                float* line = &echoes[(t * static_cast<std::size_t>(sent.elements) +
                                       static_cast<std::size_t>(e)) *
                                      static_cast<std::size_t>(samples)];
                for (std::int64_t n = std::max<std::int64_t>(middle - reach, 0);
                     n < std::min(middle + reach, samples); ++n) {
                    const double s = static_cast<double>(n) / kFsHz - time;
                    line[n] +=
                        static_cast<float>(amplitude * std::cos(kTwoPi * kCentreHz * s - laterRad) *
                                           std::exp(-0.5 * s * s / (width * width)));
                }
            }
        }
    }
    return echoes;
}

template <class Sample> sound_speed::Estimate estimateOf(const FrameSpec& spec,
                                                         const std::vector<Sample>& samples,
                                                         const sound_speed::Search& search = {}) {
    return SoundSpeedEstimator(Backend::Cpu, spec, search)
        .estimate(std::as_bytes(std::span(samples)));
}

inline Transmit planeWave(double angleRad) {
    return {.wave = Wave::Plane, .angleRad = angleRad, .source = {}};
}

} // namespace echolux::testing_support
