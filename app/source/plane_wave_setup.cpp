// SPDX-License-Identifier: GPL-3.0-or-later
// Checks a plane-wave set-up, and derives geometry and timing from it.
#include "app/source/plane_wave_setup.hpp"

#include "app/source/option_range.hpp"
#include "app/source/pulse_bank.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace echolux {

namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

/// The times on the common clock between which the echoes of the imaged region arrive.
struct WaveWindow {
    double firstS;
    double lastS;
};

WaveWindow windowOf(const PlaneWaveSetup& setup, double angleRad) {
    const double edge = setup.apertureM() / 2.0;
    const double aside = edge * std::abs(std::sin(angleRad));
    const double forward = std::cos(angleRad);
    const double pulse =
        GaussianPulse{setup.centreFrequencyHz, setup.fractionalBandwidth}.halfLengthS();
    const double shortest = setup.startDepthM * (1.0 + forward) - aside;
    const double longest =
        setup.depthM * forward + aside + std::hypot(setup.depthM, setup.apertureM());
    const double margin = screenMarginS(setup.screens);
    const double first = shortest / setup.soundSpeedMps - pulse - margin;
    return {std::floor(first * setup.samplingHz) / setup.samplingHz,
            longest / setup.soundSpeedMps + pulse + margin};
}

std::int64_t sampleCount(const PlaneWaveSetup& setup) {
    double most = 0.0;
    for (const double angle : setup.anglesRad) {
        const WaveWindow window = windowOf(setup, angle);
        most = std::max(most, (window.lastS - window.firstS) * setup.samplingHz);
    }
    return static_cast<std::int64_t>(std::ceil(most)) + 1;
}

} // namespace

std::vector<Point> PlaneWaveSetup::elementPlaces() const {
    std::vector<Point> places;
    for (std::int64_t i = 0; i < elements; ++i) places.push_back({elementX(i), 0.0, 0.0});
    return places;
}

// Waves of infinite width also pass screens beside the array. The screens are so wide that they
// cover all waves down to the largest depth.
echoes::ScreenTables screensOf(const PlaneWaveSetup& setup) {
    double aside = 0.0;
    for (const double angle : setup.anglesRad)
        aside = std::max(aside, setup.depthM * std::abs(std::tan(angle)));
    return makeScreens(setup.screens.screens, setup.elementPlaces(), {},
                       {.halfXM = setup.apertureM() + aside});
}

std::shared_ptr<const AberrationTruth> truthOf(const PlaneWaveSetup& setup) {
    if (!setup.screens.any()) return nullptr;
    const double middle = behindScreens(setup.screens, setup.startDepthM, setup.depthM);
    return std::make_shared<const AberrationTruth>(
        aberrationTruth(screensOf(setup), setup.elementPlaces(), {0.0, 0.0, middle}));
}

void checkSetup(const PlaneWaveSetup& setup) {
    checkRange("--elements", "", static_cast<double>(setup.elements), 1, 4096);
    checkRange("--pitch", " mm", setup.pitchM * 1e3, 0.001, 100);
    checkRange("--width", " mm", setup.elementWidthM * 1e3, 0.0, setup.pitchM * 1e3);
    checkRange("--fc", " MHz", setup.centreFrequencyHz * 1e-6, 0.02, 100);
    checkRange("--bandwidth", " %", setup.fractionalBandwidth * 100, 5, 150);
    checkRange("--sound-speed", " m/s", setup.soundSpeedMps, 300, 10000);
    checkRange("--depth", " mm", setup.depthM * 1e3, 1, 2000);
    checkRange("--start-depth", " mm", setup.startDepthM * 1e3, 0, setup.depthM * 1e3 - 1);
    checkRange("--frame-rate", " Hz", setup.frameRateHz, 0.01, 1e6);
    checkRange("--attenuation", " dB/(cm MHz)", setup.attenuationDbPerCmMhz, 0, 10);
    checkConverter(setup.converter);
    checkScreens(setup.screens, setup.depthM);
    if (setup.anglesRad.empty() || setup.anglesRad.size() > 1024)
        throw Error(
            fmt::format("--angles names {} plane waves: name 1 to 1024.", setup.anglesRad.size()));
    for (const double angle : setup.anglesRad)
        checkRange("--angles", " deg", angle / kDegree, -60, 60);
    checkSampling(setup.samplingHz, setup.centreFrequencyHz, setup.fractionalBandwidth);
    const double samples = static_cast<double>(sampleCount(setup)) *
                           static_cast<double>(setup.elements) *
                           static_cast<double>(setup.anglesRad.size());
    if (samples > static_cast<double>(kMaxFrameSamples))
        throw Error(fmt::format("One frame would have {:.3g} samples, more than {}: reduce "
                                "--elements, --angles, --depth or --fs.",
                                samples, kMaxFrameSamples));
}

// An echo from depth z on the axis returns after z (1 + cos a) / c.
DepthRange recordedDepths(const PlaneWaveSetup& setup) {
    const double lengthS = static_cast<double>(sampleCount(setup)) / setup.samplingHz;
    DepthRange depths{0.0, std::numeric_limits<double>::infinity()};
    for (const double angle : setup.anglesRad) {
        const double firstS = windowOf(setup, angle).firstS;
        const double metresPerSecond = setup.soundSpeedMps / (1.0 + std::cos(angle));
        depths.first = std::max(depths.first, firstS * metresPerSecond);
        depths.last = std::min(depths.last, (firstS + lengthS) * metresPerSecond);
    }
    return depths;
}

FrameSpec frameOf(const PlaneWaveSetup& setup) {
    auto acquisition = std::make_shared<Acquisition>();
    acquisition->soundSpeedMps = setup.soundSpeedMps;
    acquisition->probe.name = fmt::format("simulated linear array, {} elements", setup.elements);
    acquisition->probe.pitchM = setup.pitchM;
    acquisition->probe.elementWidthM = setup.elementWidthM;
    acquisition->probe.centreFrequencyHz = setup.centreFrequencyHz;
    acquisition->probe.fractionalBandwidth = setup.fractionalBandwidth;
    acquisition->probe.elements = setup.elementPlaces();
    for (const double angle : setup.anglesRad) {
        Transmit transmit;
        transmit.wave = Wave::Plane;
        transmit.angleRad = angle;
        transmit.firstSampleS = windowOf(setup, angle).firstS;
        acquisition->transmits.push_back(transmit);
    }
    FrameSpec frame;
    frame.dtype = DType::I16;
    frame.axes = {
        {AxisName::Transmit, static_cast<std::int64_t>(setup.anglesRad.size()), 1.0, 0.0, ""},
        {AxisName::Channel, setup.elements, 1.0, 0.0, ""},
        {AxisName::Sample, sampleCount(setup), 1.0 / setup.samplingHz, 0.0, "s"}};
    frame.codeScale = setup.converter.codeScale();
    frame.converterRange = {-setup.converter.highestCode(), setup.converter.highestCode()};
    frame.centreFrequencyHz = setup.centreFrequencyHz;
    frame.acquisition = std::move(acquisition);
    return frame;
}

} // namespace echolux
