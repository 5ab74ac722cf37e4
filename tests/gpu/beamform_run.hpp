// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings of point targets in closed form, and short ways to beamform them.
#pragma once

#include "gpu/beamform/beamform_model.hpp"
#include "gpu/core/complex.hpp"
#include "tests/support/stage_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

namespace echolux::test {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

/// A linear array centred on the origin and the recording conditions of a test.
struct Scan {
    int elements = 32;
    double pitchM = 0.3e-3;
    double soundSpeedMps = 1540.0;
    double fsHz = 40e6;
    double fcHz = 5e6;
    int samples = 1400;
    std::vector<Transmit> transmits{Transmit{}};
    std::vector<float> receiveWeights = {};
    RangeWeights rangeWeights = {};
};

inline Transmit planeWave(double angleRad, double firstSampleS = 0.0) {
    return {.wave = Wave::Plane, .angleRad = angleRad, .source = {}, .firstSampleS = firstSampleS};
}

inline Transmit sourceAt(Wave wave, double x, double z, double firstSampleS = 0.0) {
    return {.wave = wave, .angleRad = 0.0, .source = {x, 0.0, z}, .firstSampleS = firstSampleS};
}

inline double elementX(const Scan& scan, int e) {
    return (e - 0.5 * (scan.elements - 1)) * scan.pitchM;
}

inline std::vector<Transmit> everyElement(const Scan& scan) {
    std::vector<Transmit> transmits;
    for (int e = 0; e < scan.elements; ++e) {
        transmits.push_back(sourceAt(Wave::Element, elementX(scan, e), 0.0));
    }
    return transmits;
}

inline FrameSpec specOf(const Scan& scan, DType dtype, double demodulationHz = 0.0) {
    auto acquisition = std::make_shared<Acquisition>();
    for (int e = 0; e < scan.elements; ++e) {
        acquisition->probe.elements.push_back({elementX(scan, e), 0.0, 0.0});
    }
    acquisition->probe.pitchM = scan.pitchM;
    acquisition->probe.centreFrequencyHz = scan.fcHz;
    acquisition->transmits = scan.transmits;
    acquisition->soundSpeedMps = scan.soundSpeedMps;
    acquisition->receiveWeights = scan.receiveWeights;
    acquisition->rangeWeights = scan.rangeWeights;
    FrameSpec spec;
    spec.dtype = dtype;
    spec.axes = {{AxisName::Transmit, std::ssize(scan.transmits), 1.0, 0.0, ""},
                 {AxisName::Channel, scan.elements, 1.0, 0.0, ""},
                 {AxisName::Sample, scan.samples, 1.0 / scan.fsHz, 0.0, "s"}};
    spec.centreFrequencyHz = scan.fcHz;
    spec.demodulationFrequencyHz = demodulationHz;
    spec.acquisition = acquisition;
    return spec;
}

/// Time at which the transmitted wave reaches (x, z), written anew from the clock's definition:
/// t = 0 when the wavefront crosses the origin, or when the element fires.
inline double transmitTime(const Transmit& t, double x, double z, double c) {
    const double toSource = std::hypot(x - t.source.x, z - t.source.z);
    const double sourceRange = std::hypot(t.source.x, t.source.z);
    switch (t.wave) {
    case Wave::Plane: return (z * std::cos(t.angleRad) + x * std::sin(t.angleRad)) / c;
    case Wave::Diverging: return (toSource - sourceRange) / c;
    case Wave::Focused: return (sourceRange + (z > t.source.z ? toSource : -toSource)) / c;
    case Wave::Element: return toSource / c;
    case Wave::None: return 0.0;
    }
    return 0.0;
}

/// Analytic echo, at time `s` after the arrival of its centre: Gaussian pulse, about 60 % wide.
inline std::complex<double> pulseAt(double s, double fcHz) {
    const double width = 0.75 / fcHz;
    return std::exp(-0.5 * (s / width) * (s / width)) * std::polar(1.0, kTwoPi * fcHz * s);
}

/// Echo of one point target for every transmit, channel and sample.
inline std::vector<std::complex<double>> analyticEcho(const Scan& scan, double x, double z) {
    std::vector<std::complex<double>> echo;
    for (const Transmit& t : scan.transmits) {
        for (int e = 0; e < scan.elements; ++e) {
            const double arrival = transmitTime(t, x, z, scan.soundSpeedMps) +
                                   std::hypot(x - elementX(scan, e), z) / scan.soundSpeedMps;
            for (int n = 0; n < scan.samples; ++n) {
                echo.push_back(pulseAt(n / scan.fsHz + t.firstSampleS - arrival, scan.fcHz));
            }
        }
    }
    return echo;
}

inline HostFrame rfOf(const Scan& scan, double x, double z) {
    std::vector<float> rf;
    for (const auto& value : analyticEcho(scan, x, z)) {
        rf.push_back(static_cast<float>(value.real()));
    }
    return {specOf(scan, DType::F32), rf};
}

/// The same echo mixed down by exp(-j 2 pi fd (t - iqPhaseZero)).
inline HostFrame iqOf(const Scan& scan, double x, double z, double fdHz) {
    const auto echo = analyticEcho(scan, x, z);
    std::vector<Complex> iq;
    for (std::size_t i = 0; i < echo.size(); ++i) {
        const auto n = i % static_cast<std::size_t>(scan.samples);
        const auto line = i / static_cast<std::size_t>(scan.samples);
        const Transmit& t = scan.transmits[line / static_cast<std::size_t>(scan.elements)];
        const double time = static_cast<double>(n) / scan.fsHz + t.firstSampleS - t.iqPhaseZeroS;
        const auto value = echo[i] * std::polar(1.0, -kTwoPi * fdHz * time);
        iq.push_back({static_cast<float>(value.real()), static_cast<float>(value.imag())});
    }
    return {specOf(scan, DType::ComplexF32, fdHz), iq};
}

/// Grid of odd sizes round (x, z).
inline Settings gridRound(double x, double z, double halfX, double halfZ, double dx, double dz) {
    return {{"lateral_min", x - halfX}, {"lateral_max", x + halfX}, {"depth_min", z - halfZ},
            {"depth_max", z + halfZ},   {"pixel_lateral", dx},      {"pixel_depth", dz}};
}

inline Settings with(Settings settings, const Settings& more) {
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

struct Peak {
    double x = 0.0;
    double z = 0.0;
    double value = 0.0;
};

inline double magnitudeOf(float value) { return std::abs(value); }
inline double magnitudeOf(Complex value) { return std::hypot(value.re, value.im); }

/// The pixel of the greatest magnitude.
template <class Sample> Peak peakOf(const HostFrame& image) {
    const Axis& depth = image.spec.axes[0];
    const Axis& lateral = image.spec.axes[1];
    Peak peak;
    const auto values = image.as<Sample>();
    for (std::int64_t i = 0; i < std::ssize(values); ++i) {
        const double value = magnitudeOf(values[static_cast<std::size_t>(i)]);
        if (!(value > peak.value)) continue;
        peak = {lateral.origin + static_cast<double>(i % lateral.size) * lateral.spacing,
                depth.origin + static_cast<double>(i / lateral.size) * depth.spacing, value};
    }
    return peak;
}

/// As the stage's tolerance says: pixels where rounding decides whether an element on the edge of
/// the aperture counts are few.
inline void expectAlike(const HostFrame& actual, const HostFrame& expected) {
    const Tolerance& tolerance = stageType("beamform").tolerance;
    const auto values = actual.as<float>();
    const auto wanted = expected.as<float>();
    ASSERT_EQ(values.size(), wanted.size());
    double peak = 0.0;
    for (const float value : wanted) peak = std::max(peak, std::fabs(static_cast<double>(value)));
    std::size_t outside = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double difference = std::fabs(static_cast<double>(values[i]) - wanted[i]);
        if (!(difference <= tolerance.relative * peak)) ++outside;
    }
    EXPECT_LE(static_cast<double>(outside), tolerance.flips * static_cast<double>(wanted.size()));
}

/// Seeded noise in every sample.
inline HostFrame noiseOf(const FrameSpec& spec, unsigned seed) {
    HostFrame frame(spec);
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    for (float& value : frame.as<float>()) value = normal(random);
    return frame;
}

} // namespace echolux::test
