// SPDX-License-Identifier: GPL-3.0-or-later
// Envelopes of sonograms that are made from known velocities, and the indices of their beats,
// against closed forms.
#include "app/measure/envelope.hpp"
#include "app/measure/figures.hpp"
#include "tests/measure/figure_named.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

namespace echolux::measure {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kRows = 128;
constexpr std::int64_t kLines = 400;
constexpr double kTop = 63.0; ///< velocity of row 0; they fall by 1 cm/s
constexpr double kLineS = 0.01;

FrameSpec sonogramSpec() {
    FrameSpec spec;
    spec.axes = {{AxisName::Velocity, kRows, -0.01, 0.01 * kTop, "m/s"},
                 {AxisName::SlowTime, kLines, kLineS, -kLineS * (kLines - 1), "s"}};
    spec.valueRange = ValueRange{-60.0, 0.0, "dB", "strongest shown"};
    return spec;
}

using Spectrum = std::function<double(double velocity, std::int64_t line)>;

/// `noise`: mean power of noise beside a spectrum of about 1. Both fluctuate as the mean of eight
/// squared moduli of complex Gaussian numbers does.
MeasuredImage sonogram(const Spectrum& spectrum, double noise, bool speckle,
                       const FrameSpec& spec = sonogramSpec()) {
    std::mt19937_64 random(17);
    std::gamma_distribution<double> eight(8.0, 1.0 / 8.0);
    std::vector<float> levels;
    for (std::int64_t row = 0; row < kRows; ++row)
        for (std::int64_t line = 0; line < kLines; ++line) {
            const double power = spectrum(kTop - static_cast<double>(row), line) + noise;
            const double seen = speckle ? power * eight(random) : power;
            levels.push_back(static_cast<float>(std::max(-60.0, 10.0 * std::log10(seen + 1e-12))));
        }
    return MeasuredImage::of(spec, levels);
}

/// Velocities of a bell of the standard deviation `sigma`, in cm/s.
Spectrum bell(const std::function<double(std::int64_t)>& middle, double sigma) {
    return [=](double velocity, std::int64_t line) {
        const double away = (velocity - middle(line)) / sigma;
        return std::exp(-0.5 * away * away);
    };
}

/// All velocities from 0 to the largest one alike, as parabolic flow in a whole vessel has them,
/// widened by a bell.
Spectrum parabolic(const std::function<double(std::int64_t)>& largest, double sigma) {
    return [=](double velocity, std::int64_t line) {
        const auto below = [&](double v) {
            return 0.5 * std::erfc(-v / sigma / std::numbers::sqrt2);
        };
        const double end = largest(line);
        const double share = below(velocity) - below(velocity - end);
        return end >= 0.0 ? share : -share;
    };
}

constexpr double kPeriodS = 0.8;
double pulsing(std::int64_t line) {
    return 35.0 +
           15.0 * std::sin(2.0 * std::numbers::pi * static_cast<double>(line) * kLineS / kPeriodS);
}

Measurement whole() {
    return {.name = "wave",
            .kind = Kind::Envelope,
            .places = {{-1e3 * kLineS * (kLines - 1), -64.0}, {0.0, 63.0}}};
}

TEST(Envelope, LiesAtHalfThePowerOfABell) {
    for (const double sigma : {3.0, 5.0}) {
        const Envelope found =
            envelopeOf(sonogram(bell([](auto) { return 30.25; }, sigma), 0.0, false));
        // The weights 1/4, 1/2, 1/4 add a variance of a half.
        const double half = std::sqrt(2.0 * std::numbers::ln2 * (sigma * sigma + 0.5));
        for (std::size_t line : {0U, 7U, 399U}) {
            EXPECT_NEAR(found.maximum[line], 30.25 + half, 0.05) << sigma;
            EXPECT_NEAR(found.mean[line], 30.25, 0.01) << sigma;
        }
        EXPECT_TRUE(found.isTowards);
        EXPECT_EQ(found.linesAtLimit, 0U);
    }
}

TEST(Envelope, IsTheLargestVelocityOfParabolicFlowInNoise) {
    const MeasuredImage image = sonogram(parabolic(pulsing, 1.5), 0.02, true);
    const Envelope found = envelopeOf(image);
    double square = 0.0;
    double sum = 0.0;
    for (std::int64_t line = 0; line < kLines; ++line) {
        const double error = found.maximum[static_cast<std::size_t>(line)] - pulsing(line);
        ASSERT_LT(std::abs(error), 5.0) << line;
        square += error * error;
        sum += error;
    }
    EXPECT_LT(std::sqrt(square / kLines), 1.0); // a row is 1 cm/s
    // The strongest of the fluctuating powers is above their mean, so its half lies deeper.
    EXPECT_LT(sum / kLines, 0.0);
    EXPECT_GT(sum / kLines, -1.0);
}

TEST(Envelope, BeatsHaveTheIndicesOfTheirWave) {
    const MeasuredImage image = sonogram(parabolic(pulsing, 1.5), 0.02, true);
    const auto figures = figuresOfEnvelope(image, whole());
    EXPECT_NEAR(figureOf(figures, "peak_systolic"), 50.0, 1.5);
    EXPECT_NEAR(figureOf(figures, "end_diastolic"), 20.0, 1.5);
    EXPECT_NEAR(figureOf(figures, "mean_of_maximum"), 35.0, 0.7);
    EXPECT_NEAR(figureOf(figures, "mean_velocity"), 17.5, 0.7); // of a flat spectrum the half
    EXPECT_NEAR(figureOf(figures, "resistivity_index"), 0.6, 0.03);
    EXPECT_NEAR(figureOf(figures, "pulsatility_index"), 30.0 / 35.0, 0.05);
    EXPECT_NEAR(figureOf(figures, "rate"), 75.0, 0.5);
    EXPECT_EQ(figureOf(figures, "beats"), 3.0); // upstrokes at 0.8, 1.6, 2.4 and 3.2 s
    const auto ofAll = figuresOfEnvelope(image, {.name = "all", .kind = Kind::Envelope});
    EXPECT_EQ(figureOf(ofAll, "rate"), figureOf(figures, "rate"));
}

/// Without noise and fluctuation only rows and lines limit the accuracy. Flow away from the probe
/// has the same indices.
TEST(Envelope, FlowAwayIsTheMirrorImage) {
    const auto away = [](std::int64_t line) { return -pulsing(line); };
    for (const auto& [wave, sign] :
         {std::pair<std::function<double(std::int64_t)>, double>{pulsing, 1.0}, {away, -1.0}}) {
        const auto figures =
            figuresOfEnvelope(sonogram(parabolic(wave, 1.5), 1e-4, false), whole());
        EXPECT_NEAR(figureOf(figures, "peak_systolic"), sign * 50.0, 0.25);
        EXPECT_NEAR(figureOf(figures, "end_diastolic"), sign * 20.0, 0.25);
        EXPECT_NEAR(figureOf(figures, "resistivity_index"), 0.6, 0.005);
        EXPECT_NEAR(figureOf(figures, "pulsatility_index"), 30.0 / 35.0, 0.01);
        EXPECT_NEAR(figureOf(figures, "rate"), 75.0, 0.05);
    }
}

/// A systole of a third of the beat, and nothing in diastole.
TEST(Envelope, WithoutFlowInDiastoleTheResistivityIsOne) {
    const Spectrum spectrum = [](double velocity, std::int64_t line) {
        const double phase = std::fmod(static_cast<double>(line) * kLineS, kPeriodS) / kPeriodS;
        const double away = (velocity - 40.0) / 3.0;
        return phase < 1.0 / 3.0 ? std::exp(-0.5 * away * away) : 0.0;
    };
    const auto figures = figuresOfEnvelope(sonogram(spectrum, 1e-3, true), whole());
    EXPECT_EQ(figureOf(figures, "end_diastolic"), 0.0);
    EXPECT_EQ(figureOf(figures, "resistivity_index"), 1.0);
    EXPECT_NEAR(figureOf(figures, "rate"), 75.0, 1.0);
    const auto traces = tracesOfEnvelope(sonogram(spectrum, 1e-3, true), whole());
    EXPECT_EQ(traces.size(), 10U) << "five systoles, maximum and mean";
}

TEST(Envelope, BlankedVelocitiesOfAWallFilterAreNoNoise) {
    const Spectrum flow = parabolic(pulsing, 1.5);
    MeasuredImage image = sonogram(flow, 0.02, true);
    const auto before = figuresOfEnvelope(image, whole());
    for (std::int64_t row = 63 - 15; row <= 63 + 15; ++row)
        for (std::int64_t line = 0; line < kLines; ++line)
            image.values[static_cast<std::size_t>(row * kLines + line)] = -60.0F;
    const auto after = figuresOfEnvelope(image, whole());
    EXPECT_NEAR(figureOf(after, "peak_systolic"), figureOf(before, "peak_systolic"), 0.3);
    EXPECT_NEAR(figureOf(after, "end_diastolic"), 20.0, 1.5);
    EXPECT_NEAR(figureOf(after, "mean_of_maximum"), 35.0, 0.7);
}

TEST(Envelope, SteadyFlowHasNoBeat) {
    const auto figures =
        figuresOfEnvelope(sonogram(parabolic([](auto) { return 30.0; }, 1.5), 0.02, true), whole());
    EXPECT_EQ(figureOf(figures, "beats"), 0.0);
    EXPECT_TRUE(std::isnan(figureOf(figures, "resistivity_index")));
    EXPECT_TRUE(std::isnan(figureOf(figures, "peak_systolic")));
    EXPECT_TRUE(std::isnan(figureOf(figures, "rate")));
    EXPECT_NEAR(figureOf(figures, "mean_of_maximum"), 30.0, 0.7);
}

TEST(Envelope, OfUnknownTimesHasNoRate) {
    FrameSpec spec = sonogramSpec();
    spec.axes[0].unit = "rad";
    spec.axes[1].unit = "";
    spec.axes[0].spacing = -0.05;
    spec.axes[0].origin = 3.15;
    spec.axes[1].spacing = 16.0;
    spec.axes[1].origin = -16.0 * (kLines - 1);
    const MeasuredImage image = sonogram(parabolic(pulsing, 1.5), 1e-4, false, spec);
    Measurement made = whole();
    made.places = {{-16.0 * kLines, -3.3}, {0.0, 3.2}};
    const auto figures = figuresOfEnvelope(image, made);
    EXPECT_NEAR(figureOf(figures, "peak_systolic"), 2.5, 0.0125);
    EXPECT_NEAR(figureOf(figures, "resistivity_index"), 0.6, 0.005);
    EXPECT_TRUE(std::ranges::none_of(figures, [](const Figure& f) { return f.id == "rate"; }));
}

TEST(Envelope, WhatCannotBeMeasuredSaysWhy) {
    const auto problem = [](const MeasuredImage& image, const Measurement& made) {
        return testing_support::refusal([&] { figuresOfEnvelope(image, made); });
    };
    const auto tooFast = [](std::int64_t line) { return 30.0 + pulsing(line); };
    EXPECT_THAT(problem(sonogram(parabolic(tooFast, 1.5), 0.02, true), whole()),
                HasSubstr("aliasing"));
    EXPECT_THAT(problem(sonogram([](double, std::int64_t) { return 0.0; }, 0.02, true), whole()),
                HasSubstr("6 dB"));
    Measurement narrow = whole();
    narrow.places[1].lateral = narrow.places[0].lateral + 20.0;
    EXPECT_THAT(problem(sonogram(parabolic(pulsing, 1.5), 0.02, true), narrow),
                HasSubstr("five lines"));
    FrameSpec mode = sonogramSpec();
    mode.axes[0] = {AxisName::Depth, kRows, 1e-4, 0.0, "m"};
    EXPECT_THAT(problem(sonogram(parabolic(pulsing, 1.5), 0.02, true, mode), whole()),
                HasSubstr("spectral_doppler"));
}

TEST(Envelope, IsDrawnAsItsTraces) {
    const MeasuredImage image = sonogram(parabolic(pulsing, 1.5), 1e-4, false);
    const std::vector<Measurement> all{whole()};
    const auto measured = measureAll(image, all);
    ASSERT_EQ(measured[0].problem, "");
    const auto drawn = asDrawn(all, measured);
    ASSERT_EQ(drawn.size(), 2U);
    EXPECT_EQ(drawn[0].name, "wave");
    EXPECT_EQ(drawn[1].name, "");
    EXPECT_EQ(drawn[0].kind, Kind::Polyline);
    ASSERT_EQ(drawn[0].places.size(), static_cast<std::size_t>(kLines));
    EXPECT_NEAR(drawn[0].places[399].lateral, 0.0, 1e-9);
    EXPECT_NEAR(drawn[0].places[100].depth, pulsing(100), 0.5);
    EXPECT_EQ(asDrawn(all, {})[0].kind, Kind::Envelope) << "nothing has been measured";
}

} // namespace
} // namespace echolux::measure
