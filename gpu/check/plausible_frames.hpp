// SPDX-License-Identifier: GPL-3.0-or-later
// Plausible frame specifications and data for checks of stages: a linear array, steered plane
// waves, images.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

namespace echolux::check {

/// Centred linear array with `channels` elements and `transmits` plane waves of 0.5 degree steps;
/// sample 0 at 2 us.
inline std::shared_ptr<Acquisition> linearArray(std::int64_t channels, std::int64_t transmits,
                                                double centreFrequencyHz = 5e6) {
    auto acquisition = std::make_shared<Acquisition>();
    Probe& probe = acquisition->probe;
    probe.name = "test array";
    probe.pitchM = 0.3e-3;
    probe.elementWidthM = 0.27e-3;
    probe.centreFrequencyHz = centreFrequencyHz;
    for (std::int64_t e = 0; e < channels; ++e) {
        const double x =
            (static_cast<double>(e) - static_cast<double>(channels - 1) / 2) * probe.pitchM;
        probe.elements.push_back({x, 0.0, 0.0});
    }
    for (std::int64_t t = 0; t < transmits; ++t) {
        Transmit transmit;
        transmit.angleRad = (static_cast<double>(t) - static_cast<double>(transmits - 1) / 2) *
                            0.5 * std::numbers::pi / 180;
        transmit.firstSampleS = 2e-6;
        acquisition->transmits.push_back(transmit);
    }
    return acquisition;
}

inline FrameSpec channelSpec(std::int64_t transmits, std::int64_t channels, std::int64_t samples,
                             double samplingFrequencyHz = 20e6, double centreFrequencyHz = 5e6) {
    FrameSpec spec;
    spec.axes = {{AxisName::Transmit, transmits, 1.0, 0.0, ""},
                 {AxisName::Channel, channels, 1.0, 0.0, ""},
                 {AxisName::Sample, samples, 1.0 / samplingFrequencyHz, 0.0, "s"}};
    spec.centreFrequencyHz = centreFrequencyHz;
    spec.acquisition = linearArray(channels, transmits, centreFrequencyHz);
    return spec;
}

/// An image below the array, an eighth of a wavelength deep per pixel.
inline FrameSpec imageSpec(std::int64_t depths, std::int64_t laterals) {
    constexpr double kStepM = 1540.0 / 5e6 / 8;
    constexpr double kPitchM = 0.2e-3;
    FrameSpec spec;
    spec.axes = {{AxisName::Depth, depths, kStepM, 5e-3, "m"},
                 {AxisName::Lateral, laterals, kPitchM,
                  -static_cast<double>(laterals - 1) / 2 * kPitchM, "m"}};
    spec.centreFrequencyHz = 5e6;
    return spec;
}

/// Spectra around 850 nm, [lateral][sample], or [elevation][lateral][sample] where `bscans` > 0.
inline FrameSpec octSpec(std::int64_t bscans, std::int64_t lines, std::int64_t samples) {
    FrameSpec spec;
    if (bscans > 0) spec.axes.push_back({AxisName::Elevation, bscans, 10e-6, 0.0, "m"});
    spec.axes.push_back({AxisName::Lateral, lines, 10e-6, 0.0, "m"});
    spec.axes.push_back({AxisName::Sample, samples, 1.0, 0.0, ""});
    auto spectrometer = std::make_shared<Spectrometer>();
    spectrometer->centreWavelengthM = 850e-9;
    spectrometer->bandwidthM = 100e-9;
    spec.spectrometer = spectrometer;
    return spec;
}

/// Uniform noise of -1 to 1, the same for the same seed.
inline std::vector<float> noise(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    std::vector<float> values(count);
    for (float& value : values) value = uniform(random);
    return values;
}

} // namespace echolux::check
