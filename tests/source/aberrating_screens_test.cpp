// SPDX-License-Identifier: GPL-3.0-or-later
// Screens as random fields and as things that rays pass: against closed forms.
#include "app/source/aberrating_screens.hpp"

#include "app/source/array_design.hpp"
#include "gpu/core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace echolux {

namespace {

using echoes::makeScreens;
using testing::HasSubstr;

constexpr double kNano = 1e-9;

std::vector<Point> row(std::int64_t count, double pitchM) {
    return linearProbe(count, {.pitchM = pitchM}).elements;
}

/// Right at the elements of a screen at depth 0.
AberrationTruth atDepthZero(const ScreenDesign& design, const std::vector<Point>& elements,
                            const ScreenExtent& extent) {
    return aberrationTruth(makeScreens({design}, elements, {}, extent), elements,
                           {0.0, 0.0, 30e-3});
}

double mean(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

double covariance(const std::vector<double>& a, const std::vector<double>& b) {
    const double meanA = mean(a);
    const double meanB = mean(b);
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - meanA) * (b[i] - meanB);
    return sum / static_cast<double>(a.size());
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    return covariance(a, b) / std::sqrt(covariance(a, a) * covariance(b, b));
}

/// Of values that lie `lag` places apart in a row.
double correlationAt(const std::vector<double>& values, std::size_t lag) {
    return correlation({values.begin(), values.end() - static_cast<std::ptrdiff_t>(lag)},
                       {values.begin() + static_cast<std::ptrdiff_t>(lag), values.end()});
}

std::vector<double> decibels(const AberrationTruth& truth) {
    std::vector<double> values;
    for (const double a : truth.amplitude) values.push_back(20.0 * std::log10(a));
    return values;
}

TEST(AberratingScreens, haveTheStrengthThatWasAskedForOverTheArray) {
    const auto elements = row(64, 0.3e-3);
    const ScreenDesign design{.delayRmsS = 50 * kNano, .gainRmsDb = 3.0};
    const AberrationTruth truth = atDepthZero(design, elements, {.halfXM = 15e-3});
    ASSERT_EQ(truth.delayS.size(), 64U);
    EXPECT_NEAR(mean(truth.delayS), 0.0, 1e-18);
    EXPECT_NEAR(std::sqrt(covariance(truth.delayS, truth.delayS)), 50 * kNano, 1e-16);
    EXPECT_NEAR(mean(decibels(truth)), 0.0, 1e-9);
    EXPECT_NEAR(std::sqrt(covariance(decibels(truth), decibels(truth))), 3.0, 1e-9);
    const AberrationFigures figures = figuresOf(truth, elements);
    EXPECT_NEAR(figures.delayRmsS, 50 * kNano, 1e-16);
    EXPECT_NEAR(figures.gainRmsDb, 3.0, 1e-9);
}

/// 1200 correlation lengths each: about one in thirty of the numbers is left of chance.
TEST(AberratingScreens, areCorrelatedAsAGaussian) {
    const auto elements = row(7201, 0.5e-3);
    for (const std::uint64_t seed : {1, 2}) {
        const ScreenDesign design{.gainRmsDb = 2.0, .lengthXM = 3e-3, .seed = seed};
        const AberrationTruth truth = atDepthZero(design, elements, {.halfXM = 1.801});
        for (const auto& values : {truth.delayS, decibels(truth)}) {
            for (const std::size_t lag : {2U, 4U, 6U, 9U, 12U}) {
                const double lengths = static_cast<double>(lag) * 0.5 / 3.0;
                EXPECT_NEAR(correlationAt(values, lag), std::exp(-lengths * lengths), 0.08) << lag;
            }
        }
        EXPECT_NEAR(correlation(truth.delayS, decibels(truth)), 0.0, 0.08);
        EXPECT_NEAR(figuresOf(truth, elements).lengthXM, 3e-3, 0.3e-3);
        // Normally distributed: a third of them lies beyond one standard deviation.
        const double sigma = std::sqrt(covariance(truth.delayS, truth.delayS));
        double beyond = 0.0;
        for (const double delay : truth.delayS) beyond += std::abs(delay) > sigma ? 1.0 : 0.0;
        EXPECT_NEAR(beyond / 7201.0, std::erfc(std::numbers::sqrt2 / 2.0), 0.04);
    }
}

TEST(AberratingScreens, ofTwoLengthsAreLongerOneWay) {
    std::vector<Point> elements;
    constexpr std::size_t kSide = 96;
    for (std::size_t j = 0; j < kSide; ++j)
        for (std::size_t i = 0; i < kSide; ++i)
            elements.push_back({(static_cast<double>(i) - 47.5) * 1e-3,
                                (static_cast<double>(j) - 47.5) * 1e-3, 0.0});
    double alongX = 0.0;
    double alongY = 0.0;
    constexpr int kSeeds = 4;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        const auto truth = atDepthZero({.lengthXM = 2e-3, .lengthYM = 6e-3, .seed = seed}, elements,
                                       {.halfXM = 48e-3, .halfYM = 48e-3});
        std::vector<double> turned;
        for (std::size_t i = 0; i < kSide; ++i)
            for (std::size_t j = 0; j < kSide; ++j) turned.push_back(truth.delayS[j * kSide + i]);
        alongX += correlationAt(truth.delayS, 2) / kSeeds;
        alongY += correlationAt(turned, 6) / kSeeds;
    }
    EXPECT_NEAR(alongX, std::exp(-1.0), 0.05);
    EXPECT_NEAR(alongY, std::exp(-1.0), 0.05);
}

TEST(AberratingScreens, belongToTheirSeedAndPlace) {
    const auto elements = row(33, 0.3e-3);
    const auto a = atDepthZero({.seed = 7}, elements, {.halfXM = 6e-3});
    EXPECT_EQ(a, atDepthZero({.seed = 7}, elements, {.halfXM = 6e-3}));
    const auto wider = atDepthZero({.seed = 7}, elements, {.halfXM = 26e-3});
    const auto thicker = atDepthZero({.seed = 7}, elements, {.halfXM = 6e-3, .halfYM = 4e-3});
    for (std::size_t i = 0; i < elements.size(); ++i) {
        EXPECT_NEAR(a.delayS[i], wider.delayS[i], 1e-18);
        EXPECT_NEAR(a.delayS[i], thicker.delayS[i], 1e-18);
    }
    const auto many = row(2001, 1e-3);
    const ScreenExtent all{.halfXM = 1.1};
    EXPECT_NEAR(correlation(atDepthZero({.seed = 7}, many, all).delayS,
                            atDepthZero({.seed = 8}, many, all).delayS),
                0.0, 0.12);
}

TEST(AberratingScreens, addUp) {
    const auto elements = row(48, 0.3e-3);
    const ScreenDesign near{.depthM = 2e-3, .gainRmsDb = 1.0, .seed = 3};
    const ScreenDesign far{.depthM = 15e-3, .gainRmsDb = 2.0, .lengthXM = 5e-3, .seed = 4};
    const Point focus{1e-3, 0.0, 30e-3};
    const auto past = [&](const std::vector<ScreenDesign>& screens) {
        return aberrationTruth(makeScreens(screens, elements, {}, {.halfXM = 10e-3}), elements,
                               focus);
    };
    const auto both = past({near, far});
    const auto first = past({near});
    const auto second = past({far});
    for (std::size_t i = 0; i < elements.size(); ++i) {
        EXPECT_NEAR(both.delayS[i], first.delayS[i] + second.delayS[i], 1e-20);
        EXPECT_NEAR(both.amplitude[i], first.amplitude[i] * second.amplitude[i], 1e-12);
    }
    // Past the near screen only: the focus lies before the far one.
    EXPECT_EQ(aberrationTruth(makeScreens({near, far}, elements, {}, {.halfXM = 10e-3}), elements,
                              {0.0, 0.0, 10e-3})
                  .delayS,
              aberrationTruth(makeScreens({near}, elements, {}, {.halfXM = 10e-3}), elements,
                              {0.0, 0.0, 10e-3})
                  .delayS);
}

TEST(AberratingScreens, arePassedWhereAStraightWayCrossesThem) {
    using echoes::passedAt;
    EXPECT_DOUBLE_EQ(passedAt({}, 5e-3, {0, 0, 0}, {3e-3, 0, 20e-3}), 0.25);
    EXPECT_EQ(passedAt({}, 0.0, {1e-3, 0, 0}, {3e-3, 0, 20e-3}), 0.0);
    EXPECT_EQ(passedAt({}, 5e-3, {0, 0, 6e-3}, {0, 0, 20e-3}), 0.0) << "begins behind it";
    EXPECT_LT(passedAt({}, 5e-3, {0, 0, 0}, {3e-3, 0, 5e-3}), 0.0) << "ends before it";
    // An arc of 40 mm whose middle touches z = 0, and a way that is oblique to it.
    const echoes::ScreenShape arc{.radiusM = 40e-3, .apexZ = -40e-3};
    const Point from{40e-3 * std::sin(0.2), 0, 40e-3 * std::cos(0.2) - 40e-3};
    const Point to{-6e-3, 0, 31e-3};
    const double part = passedAt(arc, 8e-3, from, to);
    const double x = from.x + part * (to.x - from.x);
    const double z = from.z + part * (to.z - from.z) + 40e-3;
    EXPECT_GT(part, 0.0);
    EXPECT_LT(part, 1.0);
    EXPECT_NEAR(std::hypot(x, z), 48e-3, 1e-15);
    EXPECT_NEAR(passedAt(arc, 0.0, from, to), 0.0, 1e-12);
    EXPECT_LT(passedAt(arc, 20e-3, from, {0, 0, 19e-3}), 0.0);
}

TEST(AberratingScreens, makeWalls) {
    const auto abersim = wallScreens("abersim", 1540.0, 1);
    ASSERT_EQ(abersim.size(), 8U);
    double squares = 0.0;
    for (const ScreenDesign& screen : abersim) {
        squares += screen.delayRmsS * screen.delayRmsS;
        EXPECT_EQ(screen.lengthXM, 4e-3);
        EXPECT_EQ(screen.lengthYM, 100e-3);
        EXPECT_LT(screen.depthM, 20e-3);
    }
    EXPECT_NEAR(std::sqrt(squares), 0.09e-3 / 1540.0, 1e-15);
    EXPECT_EQ(abersim.back().seed, 8U);
    const auto abdominal = wallScreens("abdominal", 1540.0, 5);
    ASSERT_EQ(abdominal.size(), 3U);
    EXPECT_NEAR(abdominal[0].delayRmsS, 0.5e-3 * (1.0 / 1448 - 1.0 / 1613), 1e-15);
    EXPECT_NEAR(abdominal[1].delayRmsS, 1e-3 * (1.0 / 1448 - 1.0 / 1547), 1e-15);
    EXPECT_NEAR(abdominal[2].delayRmsS, 1e-3 * (1.0 / 1540 - 1.0 / 1547), 1e-15);
    EXPECT_EQ(abdominal[2].depthM, 20e-3);
}

TEST(AberratingScreens, areRefusedInOneSentence) {
    const auto refusal = [](const ScreenSetup& setup, double depthM = 40e-3) -> std::string {
        try {
            checkScreens(setup, depthM);
            makeScreens(setup.screens, row(8, 0.3e-3), {}, {.halfXM = 0.1, .halfYM = 0.1});
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refusal({{ScreenDesign{}}}), "");
    EXPECT_EQ(refusal({std::vector<ScreenDesign>(8)}), "");
    EXPECT_THAT(refusal({std::vector<ScreenDesign>(9)}), HasSubstr("room for 8"));
    EXPECT_THAT(refusal({{{.delayRmsS = -1e-9}}}), HasSubstr("delay is -1 ns"));
    EXPECT_THAT(refusal({{{.delayRmsS = NAN}}}), HasSubstr("delay is nan ns"));
    EXPECT_THAT(refusal({{{.gainRmsDb = 21}}}), HasSubstr("gain is 21 dB"));
    EXPECT_THAT(refusal({{{.lengthYM = 0.0}}}), HasSubstr("length is 0 mm"));
    EXPECT_THAT(refusal({{{.depthM = 21e-3}}}), HasSubstr("depth is 21 mm"));
    EXPECT_THAT(refusal({{{.depthM = 11e-3}}}, 11e-3), HasSubstr("--depth 11 mm"));
    EXPECT_THAT(refusal({{{.lengthXM = 0.2e-3, .lengthYM = 0.2e-3}}}),
                HasSubstr("too finely grained"));
    EXPECT_THROW(wallScreens("brick", 1540.0, 1), Error);
}

TEST(AberratingScreens, longOrOnOneElementStayFinite) {
    const auto one = row(1, 0.3e-3);
    const auto alone = atDepthZero({}, one, {.halfXM = 5e-3});
    EXPECT_TRUE(std::isfinite(alone.delayS.front()));
    const auto array = row(16, 0.3e-3);
    const auto smooth = atDepthZero({.lengthXM = 1.0, .lengthYM = 1.0}, array, {.halfXM = 20e-3});
    for (const double delay : smooth.delayS) EXPECT_LT(std::abs(delay), 50 * kNano);
    EXPECT_TRUE(atDepthZero({.gainRmsDb = 0.0}, array, {.halfXM = 5e-3}).amplitude.empty());
}

} // namespace

} // namespace echolux
