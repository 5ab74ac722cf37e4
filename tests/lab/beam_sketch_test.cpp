// SPDX-License-Identifier: GPL-3.0-or-later
// Beams, foci, apertures and delay curves against closed forms of plane geometry.
#include "app/lab/beam_sketch.hpp"
#include "app/lab/delay_curve.hpp"
#include "tests/lab/array_frame.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace echolux::test {
namespace {

using lab::BeamGeometry;
using lab::PlanePoint;

constexpr double kSketchPitchM = 0.3e-3;
constexpr double kReachM = 0.1;

BeamGeometry geometryOf(std::vector<Transmit> transmits, BeamformParams params = {}) {
    Acquisition acquisition = linearArray(64, kSketchPitchM);
    acquisition.transmits = std::move(transmits);
    return {channelData(std::move(acquisition)), params};
}

double distance(const lab::PlaneLine& line, const PlanePoint& point) {
    const PlanePoint way = line.to - line.from;
    const PlanePoint to = point - line.from;
    return std::abs(to.x * way.z - to.z * way.x) / lengthOf(way);
}

TEST(BeamSketch, TheApertureHoldsTheElementsOfItsFNumber) {
    BeamformParams params;
    params.fNumber = 2.0;
    const auto geometry = geometryOf({planeWave(0.0)}, params);
    // Half of it is 20 mm / (2 F) = 5 mm: elements at +-0.15, ... +-4.95 mm, 34 of them.
    const auto sketch = lab::sketchBeams(geometry, PlanePoint{0.0, 20e-3}, kReachM);
    ASSERT_TRUE(sketch.aperture);
    EXPECT_EQ(sketch.counted, 34U);
    EXPECT_NEAR((*sketch.aperture)[0].x, -5.1e-3, 1e-9);
    EXPECT_NEAR((*sketch.aperture)[2].x, 5.1e-3, 1e-9);
    EXPECT_EQ((*sketch.aperture)[1], (PlanePoint{0.0, 20e-3}));
}

TEST(BeamSketch, TheWindowWeighsTheElements) {
    BeamformParams params;
    params.fNumber = 2.0;
    params.window = ApodizationWindow::Hann;
    const auto geometry = geometryOf({planeWave(0.0)}, params);
    const auto sketch = lab::sketchBeams(geometry, PlanePoint{0.15e-3, 20e-3}, kReachM);
    const auto& middle = sketch.elements[32]; // at 0.15 mm
    EXPECT_NEAR(middle.weight, 1.0, 1e-6);
    const double u = 3.0 / 5.0; // ten elements further: 3 mm of 5 mm
    EXPECT_NEAR(sketch.elements[42].weight, 0.5 + 0.5 * std::cos(M_PI * u), 1e-5);
}

TEST(BeamSketch, WeightsOverRangeMultiplyTheWindow) {
    Acquisition acquisition = linearArray(64, kSketchPitchM);
    acquisition.transmits = {planeWave(0.0)};
    for (int e = 0; e < 64; ++e) {
        const float deep = e == 32 ? 0.5F : 1.0F;
        acquisition.rangeWeights.values.insert(acquisition.rangeWeights.values.end(), {0.0F, deep});
    }
    acquisition.rangeWeights.firstM = 10e-3;
    acquisition.rangeWeights.stepM = 20e-3;
    BeamformParams params;
    params.fNumber = 2.0;
    const BeamGeometry geometry{channelData(std::move(acquisition)), params};
    const PlanePoint pixel{0.15e-3, 20e-3}; // half way between the steps
    const auto sketch = lab::sketchBeams(geometry, pixel, kReachM);
    EXPECT_NEAR(sketch.elements[32].weight, 0.25, 1e-6);
    EXPECT_NEAR(sketch.elements[33].weight, 0.5, 1e-6);
    EXPECT_EQ(sketch.elements[63].weight, 0.0) << "outside of the aperture";
    const auto curve = lab::delayCurve(geometry, pixel, 0);
    EXPECT_NEAR(curve.samples[32].weight, 0.25, 1e-6);
}

TEST(BeamSketch, PlaneWavesLeaveTheMiddleAtTheirAngles) {
    const auto geometry = geometryOf({planeWave(-0.2), planeWave(0.0), planeWave(0.2)});
    const PlanePoint onThird{20e-3 * std::tan(0.2), 20e-3};
    const auto sketch = lab::sketchBeams(geometry, onThird, kReachM);
    ASSERT_EQ(sketch.waves.size(), 3U);
    EXPECT_TRUE(sketch.waves[2].nearest);
    EXPECT_FALSE(sketch.waves[2].source);
    EXPECT_NEAR(distance(*sketch.waves[2].beam, onThird), 0.0, 1e-12);
    // The edges leave the outermost elements in the same direction.
    ASSERT_EQ(sketch.edges.size(), 2U);
    const double half = 32 * kSketchPitchM;
    EXPECT_NEAR(distance(sketch.edges[1], {half + onThird.x, onThird.z}), 0.0, 1e-9);
}

TEST(BeamSketch, TheEdgesOfAFocusedWaveMeetInItsFocus) {
    const auto geometry = geometryOf({sphericalWave(Wave::Focused, 2e-3, 30e-3)});
    const auto sketch = lab::sketchBeams(geometry, PlanePoint{0.0, 40e-3}, kReachM);
    const PlanePoint focus{2e-3, 30e-3};
    EXPECT_EQ(sketch.waves[0].source, focus);
    for (const auto& edge : sketch.edges) EXPECT_NEAR(distance(edge, focus), 0.0, 1e-12);
    // Beyond the focus they have changed sides.
    EXPECT_GT(sketch.edges[0].to.x, sketch.edges[1].to.x);
}

TEST(BeamSketch, TheEdgesOfADivergingWavePointAwayFromItsSource) {
    const auto geometry = geometryOf({sphericalWave(Wave::Diverging, 0.0, -10e-3)});
    const auto sketch = lab::sketchBeams(geometry, PlanePoint{0.0, 40e-3}, kReachM);
    for (const auto& edge : sketch.edges) {
        EXPECT_NEAR(distance(edge, {0.0, -10e-3}), 0.0, 1e-12);
        EXPECT_GT(edge.to.z, 0.0);
    }
}

TEST(BeamSketch, OnlyTheNearestOfManyIsDrawn) {
    std::vector<Transmit> many;
    for (int i = 0; i < 40; ++i) many.push_back(planeWave(0.01 * (i - 20)));
    const auto geometry = geometryOf(many);
    const PlanePoint pixel{20e-3 * std::tan(0.1), 20e-3};
    const auto sketch = lab::sketchBeams(geometry, pixel, kReachM);
    ASSERT_EQ(sketch.waves.size(), 1U);
    EXPECT_EQ(sketch.waves[0].transmit, 30);
    EXPECT_TRUE(lab::sketchBeams(geometry, std::nullopt, kReachM).waves.empty());
}

TEST(BeamSketch, TransmitsThatAreOffAreNotDrawn) {
    BeamformParams params;
    params.transmits = Mask{"", {1, 0, 1}};
    const auto geometry = geometryOf({planeWave(-0.2), planeWave(0.0), planeWave(0.2)}, params);
    const auto sketch = lab::sketchBeams(geometry, PlanePoint{0.0, 20e-3}, kReachM);
    ASSERT_EQ(sketch.waves.size(), 2U);
    for (const auto& wave : sketch.waves) EXPECT_NE(wave.transmit, 1);
}

TEST(DelayCurve, IsTheTimeOfAPlaneWaveThereAndBack) {
    BeamformParams params;
    params.soundSpeedMps = 1500.0;
    params.t0OffsetS = 0.3e-6;
    params.fNumber = 2.0;
    const double angle = 0.1;
    const auto geometry = geometryOf({planeWave(0.0), planeWave(angle)}, params);
    const PlanePoint pixel{2e-3, 20e-3};
    const auto curve = lab::delayCurve(geometry, pixel, 1);
    EXPECT_TRUE(curve.images);
    ASSERT_EQ(curve.samples.size(), 64U);
    for (const auto& sample : curve.samples) {
        const double x = (static_cast<double>(sample.channel) - 31.5) * kSketchPitchM;
        const double there = pixel.x * std::sin(angle) + pixel.z * std::cos(angle);
        const double back = std::hypot(pixel.x - x, pixel.z) / 1500.0; // van Bavel 2013, Eq. 2.3
        EXPECT_NEAR(sample.backS, back, 1e-10);
        EXPECT_NEAR(curve.outS, there / 1500.0 + 0.3e-6, 1e-10);
        EXPECT_NEAR(sample.timeS, there / 1500.0 + 0.3e-6 + back, 1e-10);
        EXPECT_EQ(sample.weight > 0.0F, std::abs(x - pixel.x) <= 5e-3) << sample.channel;
    }
    EXPECT_EQ(curve.counted, 33U);
}

TEST(DelayCurve, StartsWithTheRecord) {
    Acquisition acquisition = linearArray(64, kSketchPitchM);
    acquisition.transmits = {planeWave(0.0)};
    acquisition.transmits[0].firstSampleS = 5e-6;
    const BeamGeometry geometry(channelData(std::move(acquisition)), {});
    const auto late = lab::delayCurve(geometry, {0.0, 20e-3}, 0);
    EXPECT_NEAR(late.samples[32].timeS, (20e-3 + std::hypot(0.15e-3, 20e-3)) / 1540.0, 1e-10);
    // 2 mm is over before the first sample.
    const auto early = lab::delayCurve(geometry, {0.0, 2e-3}, 0);
    EXPECT_EQ(early.counted, 0U);
    EXPECT_EQ(early.samples.size(), 64U);
}

TEST(DelayCurve, IsThereForATransmitThatIsOff) {
    BeamformParams params;
    params.transmits = Mask{"", {0, 1}};
    const auto geometry = geometryOf({planeWave(0.0), planeWave(0.1)}, params);
    const auto curve = lab::delayCurve(geometry, {0.0, 20e-3}, 0);
    EXPECT_FALSE(curve.images);
    EXPECT_EQ(curve.samples.size(), 64U);
}

TEST(DelayCurve, KnowsWhichChannelHeardWhichElement) {
    Acquisition acquisition = linearArray(8, kSketchPitchM);
    acquisition.transmits = {planeWave(0.0)};
    acquisition.receiveElements = {7, 6, 5, 4, 3, 2, -1, 0};
    const BeamGeometry geometry(channelData(std::move(acquisition)), {});
    const auto curve = lab::delayCurve(geometry, {0.0, 5e-3}, 0);
    ASSERT_EQ(curve.samples.size(), 7U);
    EXPECT_EQ(curve.samples[0].element, 7);
    EXPECT_EQ(curve.samples.back().channel, 7);
}

TEST(DelayCurve, HasNothingOnABeamOfAnotherTransmit) {
    BeamformParams params;
    params.grid = PixelGrid::Beams;
    params.transmitAperture = TransmitAperture::OwnLines;
    std::vector<Transmit> focused;
    for (int i = 0; i < 9; ++i) {
        focused.push_back(sphericalWave(Wave::Focused, (i - 4) * 1e-3, 30e-3));
        focused.back().origin = {(i - 4) * 1e-3, 0.0, 0.0};
    }
    const auto geometry = geometryOf(focused, params);
    const PlanePoint pixel{2.1e-3, 25e-3};
    EXPECT_EQ(geometry.nearestTransmit(pixel), 6);
    EXPECT_TRUE(lab::delayCurve(geometry, pixel, 3).samples.empty());
    const auto own = lab::delayCurve(geometry, pixel, 6);
    // On its beam the path of the wave is the range, whatever the focus.
    const double back = std::hypot(2e-3 - 0.5 * kSketchPitchM, 25e-3);
    const double there = std::hypot(2e-3, 30e-3) - 30e-3 + 25e-3;
    EXPECT_NEAR(own.samples[32].timeS, (there + back) / 1540.0, 1e-9);
}

/// Of 64 elements that image depths from 5 to 25 mm.
lab::DelayFamily familyWith(double fNumber, int count) {
    Acquisition acquisition = linearArray(64, kSketchPitchM);
    acquisition.transmits = {planeWave(0.0)};
    BeamformParams params;
    params.fNumber = fNumber;
    params.depthMinM = 5e-3;
    params.depthMaxM = 25e-3;
    const BeamGeometry geometry{channelData(std::move(acquisition)), params};
    return lab::delayFamily(geometry, {0.0, 10e-3}, 0, count);
}

// An element counts where it is at most z / (2 F) aside.
TEST(DelayFamily, SkipsWhatLiesOutsideTheAperture) {
    const lab::DelayFamily family = familyWith(2.0, 10);
    ASSERT_EQ(family.curves.size(), 10U);
    for (std::size_t i = 1; i < family.curves.size(); ++i)
        EXPECT_GT(family.curves[i].samples[31].timeS, family.curves[i - 1].samples[31].timeS);
    double skipped = 0.0;
    constexpr int kDepths = 2000;
    for (int i = 0; i < kDepths; ++i) {
        const double half = (5e-3 + 20e-3 * (i + 0.5) / kDepths) / 4.0;
        for (int e = 0; e < 64; ++e)
            skipped += std::abs((e - 31.5) * kSketchPitchM) > half ? 1.0 : 0.0;
    }
    EXPECT_NEAR(family.skipped, skipped / kDepths / 64.0, 0.01);
    EXPECT_GT(family.skipped, 0.3);
}

TEST(DelayFamily, AllElementsSkipNothing) { EXPECT_DOUBLE_EQ(familyWith(0.0, 4).skipped, 0.0); }

} // namespace
} // namespace echolux::test
