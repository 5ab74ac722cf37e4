// SPDX-License-Identifier: GPL-3.0-or-later
// Where beams begin of which only the firing elements are known, and the waves that delays on bent
// arrays send out.
#include "app/dataset/transmit/beam_origins.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"
#include "app/dataset/transmit/transmit_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace echolux::test {
namespace {

constexpr double kPitch = 0.3e-3;
constexpr double kSpeed = 1540.0;
constexpr std::size_t kElements = 64;

Probe linearProbe() {
    Probe probe;
    probe.elements = linearArray(kElements, kPitch);
    probe.pitchM = kPitch;
    return probe;
}

/// Fires `from` to `until`, the latter not included, to `focus`.
Transmit focusedBy(long from, long until, const Point& focus) {
    Transmit transmit;
    transmit.wave = Wave::Focused;
    transmit.source = focus;
    transmit.apodization.assign(kElements, 0.0F);
    for (long e = std::max(from, 0L); e < std::min(until, long{kElements}); ++e)
        transmit.apodization[static_cast<std::size_t>(e)] = 1.0F;
    return transmit;
}

/// Lines that fan out from 20 mm behind the array: 16 elements round every 4th, cut off at the
/// ends.
TEST(BeamOrigins, FansBeginAtTheMiddlesOfWholeApertures) {
    const Probe probe = linearProbe();
    std::vector<Transmit> transmits;
    std::vector<double> places;
    for (long first = -4; first + 16 <= long{kElements} + 4; first += 4) {
        const double x = (static_cast<double>(first) + 7.5 - 31.5) * kPitch;
        const double angle = std::atan2(x, 20e-3);
        places.push_back(x);
        transmits.push_back(focusedBy(first, first + 16,
                                      {x + 25e-3 * std::sin(angle), 0, 25e-3 * std::cos(angle)}));
    }
    EXPECT_EQ(placeBeams(probe, kSpeed, transmits), 2U);
    for (std::size_t i = 0; i < transmits.size(); ++i) {
        EXPECT_NEAR(transmits[i].origin.x, places[i], 1e-9) << i;
        EXPECT_EQ(transmits[i].origin.z, 0.0);
    }
}

TEST(BeamOrigins, BeamsOfTheWholeArrayBeginInItsMiddle) {
    const Probe probe = linearProbe();
    std::vector<Transmit> transmits;
    for (const double x : {-4e-3, 0.5e-3, 4e-3})
        transmits.push_back(focusedBy(0, kElements, {x, 0, 20e-3}));
    EXPECT_EQ(placeBeams(probe, kSpeed, transmits), 0U);
    for (const Transmit& transmit : transmits) EXPECT_NEAR(transmit.origin.x, 0.0, 1e-12);
}

TEST(BeamOrigins, StayWhereAFileSaysThem) {
    const Probe probe = linearProbe();
    std::vector<Transmit> transmits{focusedBy(0, 8, {-5e-3, 0, 20e-3}),
                                    focusedBy(40, 56, {5e-3, 0, 20e-3})};
    transmits[1].origin = {4e-3, 0, 0};
    placeBeams(probe, kSpeed, transmits);
    EXPECT_EQ(transmits[0].origin, Point{});
    EXPECT_EQ(transmits[1].origin, (Point{4e-3, 0, 0}));
}

std::vector<double> delaysOf(const std::vector<Point>& elements, const Transmit& wave) {
    std::vector<double> delays;
    for (const Point& e : elements) delays.push_back(idealDelay(wave, e, kSpeed));
    const double first = std::ranges::min(delays);
    for (double& delay : delays) delay -= first;
    return delays;
}

constexpr double kPeriod = 0.2e-6;

TEST(WaveFit, FindsPlaneWavesOfCurvedArraysWithSilentParts) {
    const auto elements = convexArray(kElements, kPitch, 15e-3);
    for (const double degrees : {-50.0, -20.0, 0.0, 35.0, 60.0})
        for (const std::size_t silent : {0U, 24U}) {
            const Transmit wave{
                .wave = Wave::Plane, .angleRad = degrees * std::numbers::pi / 180.0, .source = {}};
            std::vector<double> delays = delaysOf(elements, wave);
            std::fill_n(delays.begin(), silent, std::numeric_limits<double>::quiet_NaN());
            const auto fitted = fitWave(elements, delays, kSpeed, kPeriod, 5e-3);
            ASSERT_TRUE(fitted) << degrees;
            EXPECT_EQ(fitted->transmit.wave, Wave::Plane) << degrees;
            EXPECT_NEAR(fitted->transmit.angleRad, wave.angleRad, 1e-7);
            EXPECT_LT(fitted->spreadS, 1e-12);
        }
}

TEST(WaveFit, FindsSphericalWavesOfCurvedArrays) {
    const auto elements = convexArray(kElements, kPitch, 15e-3);
    const double apex = elements[kElements / 2].z;
    for (const Point& at : {Point{0, 0, 12e-3}, Point{8e-3, 0, 15e-3}, Point{-6e-3, 0, 60e-3},
                            Point{-3e-3, 0, -20e-3}, Point{2e-3, 0, apex - 9e-3},
                            Point{0.1e-3, 0, apex - 15.05e-3}}) {
        Transmit wave;
        wave.wave = at.z > apex ? Wave::Focused : Wave::Diverging;
        wave.source = at;
        std::vector<double> delays = delaysOf(elements, wave);
        for (double& delay : delays) delay = static_cast<double>(static_cast<float>(delay));
        const auto fitted = fitWave(elements, delays, kSpeed, kPeriod, 20e-3);
        ASSERT_TRUE(fitted) << at.x << " " << at.z;
        EXPECT_EQ(fitted->transmit.wave, wave.wave);
        EXPECT_NEAR(fitted->transmit.source.x, at.x, 2e-6) << at.x << " " << at.z;
        EXPECT_NEAR(fitted->transmit.source.z, at.z, 1e-5) << at.x << " " << at.z;
        EXPECT_LT(fitted->spreadS, 1e-11);
    }
}

/// Elements near a point in front that fire before the others send no wave to it or from it.
TEST(WaveFit, FindsNoWaveThatWouldComeFromTheFront) {
    const auto elements = convexArray(kElements, kPitch, 15e-3);
    Transmit towards;
    towards.wave = Wave::Focused;
    towards.source = {2e-3, 0, 12e-3};
    std::vector<double> delays = delaysOf(elements, towards);
    for (double& delay : delays) delay = -delay;
    EXPECT_FALSE(fitWave(elements, delays, kSpeed, kPeriod, 20e-3));
}

} // namespace
} // namespace echolux::test
