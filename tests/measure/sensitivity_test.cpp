// SPDX-License-Identifier: GPL-3.0-or-later
// Sensitivity and phase stability of simulated fringes in white noise, against closed forms.
#include "app/measure/figures.hpp"
#include "app/measure/over_frames.hpp"
#include "tests/measure/figure_named.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

namespace echolux::measure {
namespace {

constexpr std::int64_t kSamples = 128; ///< of a spectrum
constexpr std::int64_t kDepths = 64;
constexpr std::int64_t kMirror = 20; ///< its bin
constexpr double kFringe = 2.0;      ///< amplitude
constexpr double kNoise = 0.25;      ///< standard deviation of each sample

/// The transform of a fringe in white noise, as one line: its peak is a N / 2, and the noise of a
/// bin has the variance N sigma^2. So SNR = a^2 N / (4 sigma^2).
constexpr double kSnr = kFringe * kFringe * kSamples / (4.0 * kNoise * kNoise);

MeasuredImage lineOf(std::mt19937_64& random, double phase) {
    std::normal_distribution<double> noise(0.0, kNoise);
    std::vector<double> spectrum;
    for (std::int64_t k = 0; k < kSamples; ++k)
        spectrum.push_back(kFringe * std::cos(2.0 * std::numbers::pi *
                                                  static_cast<double>(kMirror * k) / kSamples +
                                              phase) +
                           noise(random));
    MeasuredImage image{.lateral = {0.0, 1.0, 1}, .depth = {0.0, 1.0, kDepths}};
    for (std::int64_t z = 0; z < kDepths; ++z) {
        std::complex<double> sum = 0.0;
        for (std::int64_t k = 0; k < kSamples; ++k)
            sum += spectrum[static_cast<std::size_t>(k)] *
                   std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(z * k) / kSamples);
        image.phasors.emplace_back(sum);
        image.values.push_back(static_cast<float>(std::abs(sum)));
    }
    return image;
}

const std::vector<Measurement> kSystem{
    {.name = "mirror", .kind = Kind::Point, .places = {{0.0, 20.0}}, .search = 5.0},
    {.name = "floor", .kind = Kind::Rectangle, .places = {{-0.5, 29.5}, {0.5, 62.5}}},
    {.name = "system",
     .kind = Kind::Sensitivity,
     .inside = "mirror",
     .outside = "floor",
     .attenuationDb = 40.0},
};

TEST(Sensitivity, IsThePeakOverTheNoisesVarianceAndTheAttenuation) {
    MeasuredImage image{.lateral = {0.0, 1.0, 1}, .depth = {0.0, 1.0, kDepths}, .isDb = true};
    image.values.assign(kDepths, -3.0F);
    image.values[kMirror] = 57.0F;
    for (std::size_t z = 31; z < kDepths; z += 2) image.values[z] = -300.0F; // every other one
    const auto measured = measureAll(image, kSystem);
    const double snr = 60.0 + 10.0 * std::log10(33.0 / 17.0); // 17 of 33 pixels at -3 dB
    EXPECT_NEAR(figureOf(measured[2].figures, "snr"), snr, 1e-4);
    EXPECT_NEAR(figureOf(measured[2].figures, "sensitivity"), snr + 40.0, 1e-4);
    EXPECT_NEAR(figureOf(measured[2].figures, "phase_limit"), 1e3 * std::pow(10.0, -snr / 20.0),
                1e-6);
}

/// 300 lines: the mean of the SNR is known to 0.1 dB, a standard deviation to 5 %.
TEST(Sensitivity, FringesInWhiteNoiseHaveTheirSnrAndPhaseNoise) {
    std::mt19937_64 random(30);
    OverFrames over(kSystem);
    for (int n = 0; n < 300; ++n) {
        // A drift of 1 rad from line to line is no noise, and wraps.
        const MeasuredImage image = lineOf(random, static_cast<double>(n));
        over.add(image, measureAll(image, kSystem));
    }
    const auto spread = over.result();
    const auto mean = [&](const char* id) {
        for (const SpreadFigure& figure : spread[2].figures)
            if (figure.mean.id == id) return figure.mean.value;
        return kNothing;
    };
    EXPECT_NEAR(mean("snr"), 10.0 * std::log10(kSnr), 0.2);
    EXPECT_NEAR(mean("sensitivity"), 10.0 * std::log10(kSnr) + 40.0, 0.2);
    // Differences of neighbours share a phase: their deviation is that of two, SNR^(-1/2).
    const double expected = 1e3 / std::sqrt(kSnr);
    EXPECT_NEAR(figureOf(spread[0].together, "phase_stability"), expected, 0.1 * expected);
    EXPECT_NEAR(mean("phase_limit"), expected, 0.05 * expected);
}

TEST(Sensitivity, PhasesThatAreNotKnownGiveNoFigure) {
    std::mt19937_64 random(30);
    OverFrames over(kSystem);
    for (int n = 0; n < 3; ++n) {
        MeasuredImage image = lineOf(random, 0.0);
        image.phasors.clear();
        over.add(image, measureAll(image, kSystem));
    }
    EXPECT_TRUE(std::isnan(figureOf(over.result()[0].together, "phase_stability")));
    EXPECT_TRUE(std::isnan(phaseStability({{1, 0}, {0, 1}})));
    EXPECT_TRUE(std::isnan(phaseStability({{1, 0}, {0, 0}, {0, 1}})));
}

TEST(Sensitivity, PhaseStabilityIsTheDeviationOfTheDifferences) {
    // Differences of 3.0, 3.2 and 3.4 rad: about pi, with a deviation of 0.2.
    std::vector<std::complex<float>> values;
    for (const double phase : {0.0, 3.0, 6.2, 9.6}) values.emplace_back(std::polar(2.0, phase));
    EXPECT_NEAR(phaseStability(values), 0.2, 1e-5);
}

TEST(Sensitivity, WhatIsMissingIsSaid) {
    std::mt19937_64 random(30);
    MeasuredImage image = lineOf(random, 0.0);
    const auto problem = [&](const std::string& mirror, const std::string& noise) {
        std::vector<Measurement> all = kSystem;
        all[2].inside = mirror;
        all[2].outside = noise;
        return measureAll(image, all)[2].problem;
    };
    EXPECT_THAT(problem("floor", "floor"), testing::HasSubstr("no point 'floor'"));
    EXPECT_THAT(problem("mirror", "mirror"), testing::HasSubstr("no region 'mirror'"));
    image.values.assign(kDepths, 0.0F);
    EXPECT_THAT(problem("mirror", "floor"), testing::HasSubstr("no noise"));
}

} // namespace
} // namespace echolux::measure
