// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated cubes of aligned channels: each sample against the closed form of its pulses, screens,
// noise, and set-ups that cannot be simulated.
#include "app/source/cube_simulator.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

CubeSetup small() {
    CubeSetup setup;
    setup.columns = 6;
    setup.rows = 4;
    setup.samples = 256;
    setup.pitchM = 1e-3;
    setup.scatterers = 5;
    setup.snrDb = 200.0;
    return setup;
}

CubeSetup screened() {
    CubeSetup setup = small();
    setup.screens.screens = {
        {.delayRmsS = 60e-9, .gainRmsDb = 3.0, .lengthXM = 2e-3, .lengthYM = 2e-3, .seed = 7}};
    return setup;
}

/// Of each scatterer the pulses of all elements, added up in time:
///   u_k(t) = sum_i a_i sum_m A_m A_k p(t - tau_m - tau_k - (r_im - R_m + r_ik - R_k) / c),
///   p(t) = exp(-t^2 / (2 s^2)) cos(2 pi f t), s = sqrt(2 ln 2) / (pi b f),
/// r: from the scatterer, R: from the focal point; A and tau of the screen.
std::vector<double> closedForm(const CubeSetup& setup, const SimulatedCube& cube) {
    const std::vector<Point> elements = setup.elements();
    const double width = std::sqrt(2.0 * std::numbers::ln2) /
                         (std::numbers::pi * setup.fractionalBandwidth * setup.centreFrequencyHz);
    const auto pulse = [&](double t) {
        return std::exp(-0.5 * t * t / (width * width)) *
               std::cos(2.0 * std::numbers::pi * setup.centreFrequencyHz * t);
    };
    const auto way = [&](const Point& e, const Point& p) {
        return std::sqrt(std::pow(e.x - p.x, 2) + std::pow(e.y - p.y, 2) + p.z * p.z) /
               setup.soundSpeedMps;
    };
    const auto amplitude = [&](std::size_t k) {
        return cube.truth.amplitude.empty() ? 1.0 : cube.truth.amplitude[k];
    };
    const Point focus{0.0, 0.0, setup.focusM};
    std::vector<double> values(cube.values.size(), 0.0);
    const auto samples = static_cast<std::size_t>(setup.samples);
    for (std::size_t k = 0; k < elements.size(); ++k) {
        for (const CubeScatterer& s : cube.scatterers) {
            const double back = way(elements[k], s.place) - way(elements[k], focus);
            for (std::size_t m = 0; m < elements.size(); ++m) {
                const double there = way(elements[m], s.place) - way(elements[m], focus);
                const bool sent = setup.screens.onTransmit;
                const double late =
                    there + back + cube.truth.delayS[k] + (sent ? cube.truth.delayS[m] : 0.0);
                const double strength = s.strength * amplitude(k) * (sent ? amplitude(m) : 1.0);
                for (std::size_t n = 0; n < samples; ++n) {
                    const double t =
                        (static_cast<double>(n) - 0.5 * static_cast<double>(samples - 1)) /
                        setup.samplingHz;
                    values[k * samples + n] += strength * pulse(t - late);
                }
            }
        }
    }
    double largest = 0.0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    for (double& value : values) value /= largest;
    return values;
}

double farthest(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

TEST(CubeSimulator, AddsUpThePulsesOfAllPaths) {
    CubeSetup setup = screened();
    for (const bool both : {true, false}) {
        setup.screens.onTransmit = both;
        const SimulatedCube cube = simulateCube(setup);
        ASSERT_EQ(cube.values.size(), 6U * 4U * 256U);
        ASSERT_EQ(cube.truth.delayS.size(), 24U);
        EXPECT_LT(farthest(cube.values, closedForm(setup, cube)), 1e-3) << both;
    }
    const SimulatedCube plain = simulateCube(small());
    EXPECT_LT(farthest(plain.values, closedForm(small(), plain)), 1e-3);
}

TEST(CubeSimulator, OfALineHasScatterersInItsPlane) {
    CubeSetup setup = screened();
    setup.rows = 1;
    const SimulatedCube cube = simulateCube(setup);
    for (const CubeScatterer& s : cube.scatterers) EXPECT_EQ(s.place.y, 0.0);
    EXPECT_LT(farthest(cube.values, closedForm(setup, cube)), 1e-3);
}

TEST(CubeSimulator, TheScreenHasWhatWasAsked) {
    const CubeSetup setup = screened();
    const AberrationTruth truth = simulateCube(setup).truth;
    const AberrationFigures figures = figuresOf(truth, setup.elements());
    EXPECT_NEAR(figures.delayRmsS, 60e-9, 0.5e-9);
    EXPECT_NEAR(figures.gainRmsDb, 3.0, 0.05);
    EXPECT_EQ(simulateCube(small()).truth.delayS, std::vector(24, 0.0));
}

TEST(CubeSimulator, NoiseHasTheAskedPower) {
    CubeSetup setup = small();
    const std::vector<double> clean = simulateCube(setup).values;
    setup.snrDb = 10.0;
    const std::vector<double> noisy = simulateCube(setup).values;
    // Both are scaled to 1. The factor between them is that of the best fit.
    double dot = 0.0, power = 0.0, all = 0.0;
    for (std::size_t i = 0; i < clean.size(); ++i) {
        dot += clean[i] * noisy[i];
        power += clean[i] * clean[i];
        all += noisy[i] * noisy[i];
    }
    const double echoes = dot * dot / power;
    EXPECT_NEAR(10.0 * std::log10(echoes / (all - echoes)), 10.0, 0.3);
}

TEST(CubeSimulator, RefusesWhatItCannotSimulate) {
    const auto refused = [](auto change) {
        CubeSetup setup = small();
        change(setup);
        return refusal([&] { simulateCube(setup); });
    };
    EXPECT_THAT(refused([](CubeSetup& s) { s.columns = 1; }), HasSubstr("--columns"));
    EXPECT_THAT(refused([](CubeSetup& s) { s.samples = 64; }), HasSubstr("--samples"));
    EXPECT_THAT(refused([](CubeSetup& s) { s.pitchM = 30e-3; }), HasSubstr("--pitch"));
    EXPECT_THAT(refused([](CubeSetup& s) { s.focusM = 2e-3; }), HasSubstr("focus"));
    EXPECT_THAT(refused([](CubeSetup& s) { s.samplingHz = 5e6; }), HasSubstr("--fs"));
    EXPECT_THAT(refused([](CubeSetup& s) { s.scatterers = 0; }), HasSubstr("--scatterers"));
}

} // namespace
} // namespace echolux
