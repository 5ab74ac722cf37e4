// SPDX-License-Identifier: GPL-3.0-or-later
// beamform and the stages behind it where nothing is sent and sound travels one way, as in
// photoacoustics: closed forms of single points, defaults, refusals.
#include "gpu/beamform/beamform_check.hpp"
#include "gpu/beamform/beamform_defaults.hpp"
#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/core/firing.hpp"
#include "tests/gpu/beamform_run.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/test_frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <string>

namespace echolux::test {
namespace {

using testing::HasSubstr;

constexpr double kPointX = 3e-3;
constexpr double kPointZ = 20e-3;

Scan oneWayScan(double firstSampleS = 0.0) {
    Scan scan;
    scan.transmits = {Transmit{}};
    scan.transmits[0].wave = Wave::None;
    scan.transmits[0].firstSampleS = firstSampleS;
    scan.transmits[0].iqPhaseZeroS = 0.3e-6;
    return scan;
}

ParamValue text(const char* word) { return std::string(word); }

template <class Sample> void expectThePoint(const HostFrame& frame) {
    const Settings grid = with(gridRound(kPointX, kPointZ, 1.5e-3, 1e-3, 0.05e-3, 0.02e-3),
                               {{"f_number", 1.0}, {"grid", text("image")}});
    const Peak peak = peakOf<Sample>(runStage("beamform", frame, grid));
    const double tenth = 0.1 * 1540.0 / 5e6;
    EXPECT_NEAR(peak.x, kPointX, tenth);
    EXPECT_NEAR(peak.z, kPointZ, tenth);
}

TEST(BeamformOneWay, APointLiesWhereItSounds) {
    const Scan scan = oneWayScan(1.7e-6);
    expectThePoint<float>(rfOf(scan, kPointX, kPointZ));
    expectThePoint<Complex>(iqOf(scan, kPointX, kPointZ, 4.7e6));
}

/// The axis: a sound that arrives after t lies at c t.
TEST(BeamformOneWay, TheSpeedOfSoundMovesAPointByTheWholeWay) {
    const HostFrame iq = iqOf(oneWayScan(), 0.0, kPointZ, 5e6);
    for (const double speed : {1480.0, 1540.0, 1620.0}) {
        const double expected = kPointZ * speed / 1540.0;
        // A narrow aperture, which hardly bends.
        const Settings grid = with(gridRound(0.0, expected, 0.2e-3, 1e-3, 0.1e-3, 0.01e-3),
                                   {{"f_number", 4.0}, {"speed_of_sound", speed}});
        EXPECT_NEAR(peakOf<Complex>(runStage("beamform", iq, grid)).z, expected, 0.03e-3);
    }
}

TEST(BeamformOneWay, DefaultsReachTwiceAsDeepInRowsTwiceAsHigh) {
    Scan scan = oneWayScan(2e-6);
    const BeamformParams oneWay = das::defaultParams(specOf(scan, DType::F32));
    scan.transmits[0].wave = Wave::Plane;
    const BeamformParams echoes = das::defaultParams(specOf(scan, DType::F32));
    const double last = 2e-6 + 1399 / 40e6;
    EXPECT_NEAR(oneWay.depthMaxM, 1540.0 * last, 1e-9);
    EXPECT_NEAR(oneWay.depthMinM, 1540.0 * 2e-6, 1e-9);
    EXPECT_NEAR(oneWay.depthMaxM, 2.0 * echoes.depthMaxM, 1e-9);
    EXPECT_NEAR(oneWay.pixelDepthM, 2.0 * echoes.pixelDepthM, 2e-6);
    EXPECT_EQ(oneWay.fNumber, echoes.fNumber);
    EXPECT_TRUE(das::warningsOf(specOf(scan, DType::F32), echoes).empty());
}

TEST(BeamformOneWay, TheGridOfDataHasARowPerSample) {
    BeamformParams params;
    params.grid = PixelGrid::Data;
    const FrameSpec image = das::imageSpec(specOf(oneWayScan(), DType::F32), params);
    EXPECT_NEAR(image.find(AxisName::Depth)->spacing, 1540.0 / 40e6, 1e-12);
    EXPECT_TRUE(image.isOneWay);
}

/// `elements` on a ring whose top is at depth 0 and which look inwards.
FrameSpec ringSpec(DType dtype, int elements, double radiusM) {
    Scan scan = oneWayScan();
    scan.elements = elements;
    FrameSpec spec = specOf(scan, dtype, isComplex(dtype) ? 5e6 : 0.0);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    for (int e = 0; e < elements; ++e) {
        const double turn = kTwoPi * e / elements;
        acquisition->probe.normals.push_back({-std::sin(turn), 0.0, -std::cos(turn)});
        acquisition->probe.elements[static_cast<std::size_t>(e)] = {
            radiusM * std::sin(turn), 0.0, radiusM + radiusM * std::cos(turn)};
    }
    spec.acquisition = acquisition;
    return spec;
}

TEST(BeamformOneWay, ARingImagesItsInside) {
    constexpr double kRadius = 10e-3;
    const BeamformParams params = das::defaultParams(ringSpec(DType::F32, 64, kRadius));
    EXPECT_EQ(params.grid, PixelGrid::Image);
    EXPECT_NEAR(params.depthMinM, 0.0, 1e-9);
    EXPECT_NEAR(params.depthMaxM, 2.0 * kRadius, 1e-9);
    EXPECT_NEAR(params.lateralMinM, -kRadius, 1e-9);
    EXPECT_NEAR(params.lateralMaxM, kRadius, 1e-9);
    EXPECT_EQ(params.fNumber, 0.0);
    EXPECT_EQ(params.pixelDepthM, params.pixelLateralM);
    EXPECT_LE(params.pixelLateralM, 0.25 * 1540.0 / 5e6);
    const BeamformParams large = das::defaultParams(ringSpec(DType::F32, 64, 50e-3));
    EXPECT_NEAR(large.pixelDepthM, 100e-6, 2e-6) << "a million pixels";
}

/// Below and above the middle, so that the way from all sides counts.
TEST(BeamformOneWay, ARingFindsPointsEverywhereInside) {
    const FrameSpec spec = ringSpec(DType::ComplexF32, 64, 10e-3);
    for (const auto& [x, z] : {std::pair{-4e-3, 6e-3}, {0.0, 10e-3}, {5e-3, 15e-3}}) {
        HostFrame frame(spec);
        const auto samples = frame.as<Complex>();
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const Point& e = spec.acquisition->probe.elements[i / 1400];
            const double t = static_cast<double>(i % 1400) / 40e6;
            const auto value = pulseAt(t - std::hypot(x - e.x, z - e.z) / 1540.0, 5e6) *
                               std::polar(1.0, -kTwoPi * 5e6 * (t - 0.3e-6));
            samples[i] = {static_cast<float>(value.real()), static_cast<float>(value.imag())};
        }
        const Peak peak = peakOf<Complex>(
            runStage("beamform", frame,
                     with(gridRound(x, z, 0.5e-3, 0.5e-3, 0.02e-3, 0.02e-3), {{"f_number", 0.0}})));
        EXPECT_NEAR(peak.x, x, 0.03e-3);
        EXPECT_NEAR(peak.z, z, 0.03e-3);
    }
}

TEST(BeamformOneWay, WhatNeedsASentWaveIsRefused) {
    const FrameSpec spec = specOf(oneWayScan(), DType::F32);
    const auto refusal = [&](auto change) {
        BeamformParams params = das::defaultParams(spec);
        change(params);
        return testing_support::refusal([&] { das::checkBeamformable(spec, params); });
    };
    EXPECT_THAT(refusal([](BeamformParams& p) { p.travelTime = TravelTime::Back; }),
                HasSubstr("set travel_time to both"));
    EXPECT_THAT(refusal([](BeamformParams& p) {
                    p.grid = PixelGrid::Beams;
                    p.transmitAperture = TransmitAperture::OwnLines;
                }),
                HasSubstr("set transmit_aperture to everywhere"));
    EXPECT_EQ(refusal([](BeamformParams& p) { p.transmitAperture = TransmitAperture::Shadow; }),
              "accepted")
        << "sound comes from everywhere";
    const StageType& synthesis = stageType("transmit_synthesis");
    EXPECT_THAT(testing_support::refusal([&] {
                    synthesis.plan(std::vector{spec, spec}, synthesis.defaultsFor(spec));
                }),
                HasSubstr("each element firing alone"));
}

/// A movement of lambda / 2 is a turn where sound goes there and back, one of lambda one way.
TEST(BeamformOneWay, MovementsAreTwiceThoseOfEchoes) {
    FrameSpec image = imageSpec(64, 8);
    image.dtype = DType::ComplexF32;
    image.axes.front().unit = "m";
    FrameSpec ensemble = ensembleOf(image, 4);
    ensemble.axes.front().unit = "s";
    ensemble.axes.front().spacing = 1e-3;
    const auto rangeOf = [&](const char* stage, bool oneWay) {
        FrameSpec frames = ensemble;
        frames.isOneWay = oneWay;
        const StageType& type = stageType(stage);
        const StagePlan plan = type.plan(frames, type.defaultsFor(frames));
        return plan.outputs.front().valueRange->max;
    };
    EXPECT_NEAR(rangeOf("flow", true), 2.0 * rangeOf("flow", false), 1e-6);
    const auto cycleOf = [&](bool oneWay) {
        FrameSpec frames = ensemble;
        frames.isOneWay = oneWay;
        const StageType& type = stageType("displacement");
        Params params = type.defaultsFor(frames);
        params.set("displacement", "method", std::string("phase"));
        return type.plan(frames, params).outputs.front().cycle;
    };
    EXPECT_NEAR(cycleOf(true), 2.0 * cycleOf(false), 1e-6);
}

TEST(BeamformOneWay, ItsWaveIsEverywhereAtOnce) {
    Transmit nothing;
    nothing.wave = Wave::None;
    nothing.angleRad = 0.3; // says nothing
    EXPECT_EQ(idealDelay(nothing, {1e-3, 2e-3, 3e-3}, 1540.0), 0.0);
    const Acquisition acquisition = *specOf(oneWayScan(), DType::F32).acquisition;
    EXPECT_TRUE(isOneWay(acquisition));
    EXPECT_FALSE(isOneWay(*specOf(Scan{}, DType::F32).acquisition));
    EXPECT_FALSE(isOneWay(Acquisition{}));
    EXPECT_EQ(das::beamPath(acquisition, nothing), 0.0);
}

} // namespace
} // namespace echolux::test
