// SPDX-License-Identifier: GPL-3.0-or-later
// Beam patterns against closed forms of apertures: uniform, Hann, compounded, one element.
#include "app/lab/beam_shape.hpp"
#include "tests/lab/array_frame.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux::test {
namespace {

using lab::BeamGeometry;
using lab::BeamShape;

constexpr double kShapePitchM = 0.15e-3;
constexpr double kShapeWavelengthM = 1540.0 / 5e6;
constexpr lab::PlanePoint kPixel{0.0, 60e-3};
/// F = 6 at 60 mm: 10 mm, in which lie 66 elements.
constexpr double kApertureM = 66 * kShapePitchM;
constexpr double kUnitM = kShapeWavelengthM * kPixel.z / kApertureM; ///< lambda z / L

BeamformParams fNumberSix() {
    BeamformParams params;
    params.fNumber = 6.0;
    return params;
}

BeamShape shapeOf(std::vector<Transmit> transmits, const BeamformParams& params,
                  lab::PlanePoint pixel = kPixel, int elements = 128, double widthM = 0.0) {
    Acquisition acquisition = linearArray(elements, kShapePitchM);
    acquisition.probe.elementWidthM = widthM;
    acquisition.transmits = std::move(transmits);
    return lab::beamShape(BeamGeometry(channelData(std::move(acquisition)), params), pixel);
}

/// Sent by the elements that hear the pixel, focused there.
Transmit focusedLikeReception() {
    Transmit transmit = sphericalWave(Wave::Focused, kPixel.x, kPixel.z);
    for (int e = 0; e < 128; ++e)
        transmit.apodization.push_back(std::abs(e - 63.5) < 33.0 ? 1.0F : 0.0F);
    return transmit;
}

double levelAt(const lab::BeamPattern& pattern, const BeamShape& shape, double at) {
    const auto above = std::ranges::lower_bound(shape.across, at);
    return pattern.levelDb[static_cast<std::size_t>(above - shape.across.begin())];
}

// |sinc(u)| is 10^(-6/20) at u = 0.6026 and 10^(-3/20) at 0.4421; its first side lobe has -13.26
// dB.
TEST(BeamShape, AUniformApertureHearsASinc) {
    const BeamShape shape = shapeOf({planeWave(0.0)}, fNumberSix());
    EXPECT_EQ(shape.elements, 66U);
    EXPECT_FALSE(shape.overAngle);
    EXPECT_NEAR(shape.heard.peak, 0.0, 1e-5);
    EXPECT_NEAR(shape.heard.width.value_or(0.0) / kUnitM, 1.2052, 0.01);
    EXPECT_NEAR(shape.heard.sideLobeDb.value_or(0.0), -13.26, 0.1);
    const double u = 1.5;
    EXPECT_NEAR(levelAt(shape.heard, shape, u * kUnitM),
                20.0 * std::log10(1.0 / (std::numbers::pi * u)), 0.2);
}

TEST(BeamShape, BothWaysItIsTheSquare) {
    const BeamShape shape = shapeOf({focusedLikeReception()}, fNumberSix());
    EXPECT_NEAR(shape.sent.width.value_or(0.0), shape.heard.width.value_or(1.0), 1e-6);
    EXPECT_NEAR(shape.both.width.value_or(0.0) / kUnitM, 0.8842, 0.01);
    EXPECT_NEAR(shape.both.sideLobeDb.value_or(0.0), -26.52, 0.2);
}

TEST(BeamShape, AHannWindowWidensItAndLowersTheSideLobes) {
    BeamformParams params = fNumberSix();
    params.window = ApodizationWindow::Hann;
    const BeamShape shape = shapeOf({planeWave(0.0)}, params);
    const double unit = kShapeWavelengthM * kPixel.z / 10e-3;
    EXPECT_NEAR(shape.heard.width.value_or(0.0) / unit, 2.0, 0.02); // half amplitude at u = 1
    EXPECT_NEAR(shape.heard.sideLobeDb.value_or(0.0), -31.47, 0.3);
}

TEST(BeamShape, AHigherFNumberWidensItInProportion) {
    BeamformParams params = fNumberSix();
    params.fNumber = 12.0;
    const BeamShape wide = shapeOf({planeWave(0.0)}, params);
    const BeamShape narrow = shapeOf({planeWave(0.0)}, fNumberSix());
    // 34 elements in 5 mm, 66 in 10 mm.
    EXPECT_NEAR(*wide.heard.width / *narrow.heard.width, 66.0 / 34.0, 0.01);
}

TEST(BeamShape, CompoundedPlaneWavesFocusAsTheirSpreadOfAngles) {
    constexpr int kWaves = 21;
    constexpr double kStep = 0.01; // of the sine
    std::vector<Transmit> waves;
    for (int i = 0; i < kWaves; ++i)
        waves.push_back(planeWave(std::asin(kStep * (i - kWaves / 2))));
    const BeamShape shape = shapeOf(waves, fNumberSix(), {2e-3, 30e-3}, 256);
    EXPECT_EQ(shape.transmits, 21U);
    EXPECT_NEAR(shape.sent.peak, 2e-3, 0.05e-3);
    EXPECT_NEAR(shape.sent.width.value_or(0.0), 1.2052 * kShapeWavelengthM / (kWaves * kStep),
                0.06e-3);
}

TEST(BeamShape, OneElementSendsTheSincOfItsWidth) {
    const double width = 2.0 * kShapeWavelengthM;
    Transmit one = sphericalWave(Wave::Element, 0.5 * kShapePitchM, 0.0);
    const BeamShape shape = shapeOf({one}, {}, {0.0, 20e-3}, 128, width);
    const double x = 6e-3;
    const double sine = (x - 0.5 * kShapePitchM) / std::hypot(x - 0.5 * kShapePitchM, 20e-3);
    const double a = std::numbers::pi * 2.0 * sine;
    EXPECT_NEAR(levelAt(shape.sent, shape, x), 20.0 * std::log10(std::abs(std::sin(a) / a)), 0.05);
}

TEST(BeamShape, AWidePitchHasGratingLobes) {
    Acquisition acquisition = linearArray(32, 3.0 * kShapeWavelengthM);
    acquisition.probe.elementWidthM = 0.0;
    acquisition.transmits = {planeWave(0.0)};
    BeamformParams params;
    params.fNumber = 0.0;
    const BeamGeometry geometry(channelData(std::move(acquisition)), params);
    // The lobe of sin(theta) = 1/3 lies 14 mm beside a pixel 40 mm deep.
    const BeamShape shape = lab::beamShape(geometry, {0.0, 40e-3});
    EXPECT_GT(shape.heard.sideLobeDb.value_or(-80.0), -10.0);
}

TEST(BeamShape, GoesOverAnglesWhereBeamsFanOut) {
    Acquisition acquisition = linearArray(64, kShapePitchM);
    std::vector<Transmit> beams;
    for (int i = 0; i < 9; ++i) {
        const double angle = 0.05 * (i - 4);
        beams.push_back(
            sphericalWave(Wave::Focused, 60e-3 * std::sin(angle), 60e-3 * std::cos(angle)));
    }
    acquisition.transmits = beams;
    BeamformParams params;
    params.fNumber = 0.0;
    params.grid = PixelGrid::Beams;
    params.transmitAperture = TransmitAperture::OwnLines;
    const BeamGeometry geometry(channelData(std::move(acquisition)), params);
    const BeamShape shape =
        lab::beamShape(geometry, {60e-3 * std::sin(0.05), 60e-3 * std::cos(0.05)});
    EXPECT_TRUE(shape.overAngle);
    EXPECT_EQ(shape.transmits, 1U);
    EXPECT_NEAR(shape.both.peak, 0.05, 1e-3);
    EXPECT_NEAR(shape.pixelAt, 0.05, 1e-9);
    EXPECT_NEAR(shape.heard.width.value_or(0.0) / (kShapeWavelengthM / (64 * kShapePitchM)), 1.2052,
                0.02);
}

/// From where the first line passes the pixel's depth to where the last one does.
TEST(BeamShape, GoesBetweenTheOuterOnesOfSteeredLines) {
    constexpr double kAngle = 0.2;
    constexpr double kDepthM = 30e-3;
    Acquisition acquisition = linearArray(64, kShapePitchM);
    std::vector<Transmit> beams;
    for (int i = 0; i < 9; ++i) {
        const double x = 0.5e-3 * (i - 4);
        Transmit beam =
            sphericalWave(Wave::Focused, x + 60e-3 * std::sin(kAngle), 60e-3 * std::cos(kAngle));
        beam.origin = {x, 0.0, 1e-9};
        beams.push_back(beam);
    }
    acquisition.transmits = beams;
    BeamformParams params;
    params.fNumber = 0.0;
    params.grid = PixelGrid::Beams;
    params.transmitAperture = TransmitAperture::OwnLines;
    const double x = kDepthM * std::tan(kAngle);
    const BeamShape shape =
        lab::beamShape(BeamGeometry(channelData(std::move(acquisition)), params), {x, kDepthM});
    EXPECT_FALSE(shape.overAngle);
    EXPECT_NEAR(shape.across.front(), x - 2e-3, 1e-6);
    EXPECT_NEAR(shape.across.back(), x + 2e-3, 1e-6);
    EXPECT_NEAR(shape.heard.peak, x, 0.05e-3);
    EXPECT_EQ(shape.transmits, 1U);
}

TEST(BeamShape, IsEmptyWhereNothingIsImaged) {
    BeamformParams params = fNumberSix();
    params.transmits = {"", {0}};
    const BeamShape shape = shapeOf({planeWave(0.0)}, params);
    EXPECT_EQ(shape.transmits, 0U);
    EXPECT_TRUE(shape.both.levelDb.empty());
}

TEST(BeamShape, MeasuresBetweenSamplesAndOnlyWhatIsThere) {
    const std::vector<double> across{0, 1, 2, 3, 4, 5, 6};
    const auto pattern = lab::measured({-20, -8, 0, -8, -20, -15, -30}, across);
    EXPECT_DOUBLE_EQ(pattern.peak, 2.0);
    EXPECT_DOUBLE_EQ(pattern.width.value_or(0.0), 1.5);
    EXPECT_DOUBLE_EQ(pattern.sideLobeDb.value_or(0.0), -15.0);
    const auto open = lab::measured({0, -1, -2, -3, -4, -5, -8}, across);
    EXPECT_FALSE(open.width);
    EXPECT_FALSE(open.sideLobeDb);
}

} // namespace
} // namespace echolux::test
