// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of equal delay against the closed forms of plane waves, circles about an element and
// ellipses, and of focused beams over a fan.
#include "app/lab/delay_map.hpp"

#include "tests/lab/array_frame.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace echolux::test {
namespace {

using lab::BeamGeometry;
using lab::DelayContour;
using lab::DelayLeg;
using lab::PlanePoint;

constexpr double kMapPitchM = 0.3e-3;
constexpr double kMapSpeed = 1540.0;
constexpr double kTilt = 0.1;

BeamformParams mapParams() {
    BeamformParams params;
    params.soundSpeedMps = kMapSpeed;
    params.lateralMinM = -10e-3;
    params.lateralMaxM = 10e-3;
    params.depthMinM = 5e-3;
    params.depthMaxM = 35e-3;
    return params;
}

BeamGeometry tiltedWaves(BeamformParams params = mapParams()) {
    Acquisition acquisition = linearArray(64, kMapPitchM);
    acquisition.transmits = {planeWave(0.0), planeWave(kTilt)};
    acquisition.transmits[1].firstSampleS = 2e-6;
    return {channelData(std::move(acquisition)), params};
}

/// Both ends of each piece, against the delay at a point.
void expectDelays(const std::vector<DelayContour>& contours,
                  const std::function<double(PlanePoint)>& delayS, double toleranceS) {
    ASSERT_GE(contours.size(), 4U);
    EXPECT_LE(contours.size(), 13U);
    for (const DelayContour& contour : contours) {
        ASSERT_FALSE(contour.pieces.empty());
        for (const auto& [from, to] : contour.pieces)
            for (const PlanePoint& end : {from, to})
                EXPECT_NEAR(delayS(end), contour.timeS, toleranceS);
    }
}

TEST(DelayMap, OfAPlaneWaveHasStraightLines) {
    const auto contours = lab::delayContours(tiltedWaves(), {DelayLeg::Transmit, 1, 0});
    const auto wave = [](PlanePoint p) {
        return (p.x * std::sin(kTilt) + p.z * std::cos(kTilt)) / kMapSpeed;
    };
    expectDelays(contours, wave, 2e-9);
    const double step = contours[1].timeS - contours[0].timeS;
    EXPECT_NEAR(step, 2e-6, 1e-12) << "19.5 to 23 us apart, at most twelve lines";
    for (const DelayContour& contour : contours)
        EXPECT_NEAR(std::remainder(contour.timeS, step), 0.0, 1e-12);
}

TEST(DelayMap, OfAnElementHasCircles) {
    const double element = (10 - 31.5) * kMapPitchM;
    expectDelays(
        lab::delayContours(tiltedWaves(), {DelayLeg::Receive, 0, 10}),
        [&](PlanePoint p) { return std::hypot(p.x - element, p.z) / kMapSpeed; }, 6e-9);
}

TEST(DelayMap, OfBothWaysIsTheirSumAndIsThereForATransmitThatIsOff) {
    BeamformParams params = mapParams();
    params.transmits = {"", {0, 1}};
    const double element = (63 - 31.5) * kMapPitchM;
    expectDelays(
        lab::delayContours(tiltedWaves(params), {DelayLeg::Both, 0, 63}),
        [&](PlanePoint p) { return (p.z + std::hypot(p.x - element, p.z)) / kMapSpeed; }, 6e-9);
}

TEST(DelayMap, FollowsTheSpeedOfSound) {
    BeamformParams params = mapParams();
    params.soundSpeedMps = 1000.0;
    expectDelays(
        lab::delayContours(tiltedWaves(params), {DelayLeg::Transmit, 0, 0}),
        [](PlanePoint p) { return p.z / 1000.0; }, 2e-9);
}

TEST(DelayMap, LeavesOutTheJumpAtTheDepthOfAFocus) {
    Acquisition acquisition = linearArray(64, kMapPitchM);
    acquisition.transmits = {sphericalWave(Wave::Focused, 0.0, 20e-3)};
    const BeamGeometry geometry(channelData(std::move(acquisition)), mapParams());
    // The wave arrives as a sphere about its focus, 20 mm from the middle of the array.
    expectDelays(
        lab::delayContours(geometry, {DelayLeg::Transmit, 0, 0}),
        [](PlanePoint p) {
            const double apart = std::hypot(p.x, p.z - 20e-3);
            return (20e-3 + (p.z < 20e-3 ? -apart : apart)) / kMapSpeed;
        },
        6e-8);
}

TEST(DelayMap, OfAFanEndsAtItsOuterBeams) {
    Acquisition acquisition = linearArray(64, kMapPitchM);
    for (int i = -4; i <= 4; ++i)
        acquisition.transmits.push_back(
            sphericalWave(Wave::Focused, 40e-3 * std::sin(0.1 * i), 40e-3 * std::cos(0.1 * i)));
    BeamformParams params = mapParams();
    params.grid = PixelGrid::Beams;
    params.transmitAperture = TransmitAperture::OwnLines;
    const BeamGeometry geometry(channelData(std::move(acquisition)), params);
    const auto contours = lab::delayContours(geometry, {DelayLeg::Transmit, 0, 0});
    // Each line has its own transmit, whose wave runs along it: circles about the array's middle.
    expectDelays(
        contours, [](PlanePoint p) { return std::hypot(p.x, p.z) / kMapSpeed; }, 5e-8);
    double widest = 0.0;
    for (const DelayContour& contour : contours)
        for (const auto& [from, to] : contour.pieces)
            widest = std::max(
                {widest, std::abs(std::atan2(from.x, from.z)), std::abs(std::atan2(to.x, to.z))});
    EXPECT_LT(widest, 0.4 + 1e-6);
    EXPECT_GT(widest, 0.37);
}

TEST(DelayMap, IsEmptyWithoutTheTransmitOrTheElement) {
    EXPECT_TRUE(lab::delayContours(tiltedWaves(), {DelayLeg::Transmit, 2, 0}).empty());
    EXPECT_TRUE(lab::delayContours(tiltedWaves(), {DelayLeg::Receive, 0, 64}).empty());
    EXPECT_TRUE(lab::delayContours(tiltedWaves(), {DelayLeg::Transmit, -1, 0}).empty());
}

} // namespace
} // namespace echolux::test
