// SPDX-License-Identifier: GPL-3.0-or-later
// The search on surfaces whose top is known.
#include "app/calibration/dispersion_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace echolux {

namespace {

using testing::Pointwise;

/// Sharpest where the phase left over at five places of the spectrum is a straight line.
double bell(const DispersionTerms& terms, const DispersionTerms& truth) {
    const auto phase = [](const DispersionTerms& c, double q) {
        const double x = -q / 2.0;
        return x * x * (c[0] + x * (c[1] + x * c[2]));
    };
    double sum = 0.0;
    for (const double q : {0.2, 0.35, 0.5, 0.65, 0.8})
        sum += phase(terms, q) - phase(truth, q) == 0.0
                   ? 0.0
                   : std::pow(phase(terms, q) - phase(truth, q) -
                                  (q - 0.2) / 0.6 * (phase(terms, 0.8) - phase(truth, 0.8)) -
                                  (0.8 - q) / 0.6 * (phase(terms, 0.2) - phase(truth, 0.2)),
                              2.0);
    return 1.0 / (1.0 + sum);
}

TEST(DispersionSearch, findsTheTopOfASmoothSurface) {
    for (const DispersionTerms truth :
         {DispersionTerms{400.0, 320.0, 0.0}, DispersionTerms{-700.0, -250.0, 0.0},
          DispersionTerms{0.0, 0.0, 0.0}}) {
        const DispersionFound found = searchDispersion(
            [&](const DispersionTerms& terms) { return bell(terms, truth); }, {}, nullptr);
        EXPECT_THAT(found.terms, Pointwise(testing::DoubleNear(3.0), truth));
        EXPECT_NEAR(found.sharpness, 1.0, 1e-3);
        EXPECT_NEAR(found.sharpnessWithout, bell({}, truth), 1e-12);
        EXPECT_FALSE(found.stopped);
        EXPECT_LT(found.trials, 600);
    }
}

TEST(DispersionSearch, endsWithTheSharpnessCloseToWhatItFound) {
    const DispersionTerms first{420.0, 340.0, 0.0};
    const DispersionTerms truth{400.0, 320.0, 0.0};
    std::vector<DispersionTerms> asked;
    const SharpnessCloseTo closeTo = [&](const DispersionTerms& terms) -> SharpnessOf {
        asked.push_back(terms);
        return [&](const DispersionTerms& tried) { return 0.5 * bell(tried, truth); };
    };
    double progress = 0.0;
    const DispersionFound found = searchDispersion(
        [&](const DispersionTerms& terms) { return bell(terms, first); }, {.closeTo = closeTo},
        [&](const DispersionTrial& trial) {
            EXPECT_GE(trial.progress, progress);
            progress = trial.progress;
            return true;
        });
    ASSERT_EQ(asked.size(), 2U);
    EXPECT_THAT(asked[0], Pointwise(testing::DoubleNear(3.0), first));
    EXPECT_THAT(asked[1], Pointwise(testing::DoubleNear(3.0), truth));
    EXPECT_THAT(found.terms, Pointwise(testing::DoubleNear(3.0), truth));
    EXPECT_DOUBLE_EQ(found.sharpness, bell(found.terms, first));
    EXPECT_LE(progress, 1.0);
}

TEST(DispersionSearch, findsTheFourthPowerTooWhereAsked) {
    const DispersionTerms truth{300.0, 200.0, 400.0};
    const DispersionFound found =
        searchDispersion([&](const DispersionTerms& terms) { return bell(terms, truth); },
                         {.quartic = true}, nullptr);
    EXPECT_GT(found.sharpness, 0.999);
    EXPECT_NE(found.terms[2], 0.0);
}

TEST(DispersionSearch, reportsEachTrialAndStopsWhenTold) {
    const DispersionTerms truth{400.0, 320.0, 0.0};
    std::int64_t seen = 0;
    double best = -1.0;
    double progress = 0.0;
    const DispersionFound found =
        searchDispersion([&](const DispersionTerms& terms) { return bell(terms, truth); }, {},
                         [&](const DispersionTrial& trial) {
                             EXPECT_EQ(trial.number, ++seen);
                             EXPECT_EQ(trial.sharpness, bell(trial.terms, truth));
                             EXPECT_GE(trial.bestSharpness, best);
                             EXPECT_GE(trial.progress, progress);
                             best = trial.bestSharpness;
                             progress = trial.progress;
                             return seen < 50;
                         });
    EXPECT_TRUE(found.stopped);
    EXPECT_EQ(seen, 50);
    EXPECT_EQ(found.trials, 50);
    EXPECT_EQ(found.sharpness, best);
}

TEST(DispersionSearch, staysWithinTheLargestTerms) {
    (void)searchDispersion(
        [](const DispersionTerms& terms) {
            EXPECT_LE(std::abs(terms[0]), 300.0);
            EXPECT_LE(std::abs(terms[1]), 200.0);
            return bell(terms, {900.0, 900.0, 0.0});
        },
        {.largest = {300.0, 200.0, 100.0}}, nullptr);
}

TEST(DispersionSearch, endsAtTheSharpestTrial) {
    // Uneven as speckle makes it: between the grid's points the fitted top misses the best trial.
    for (const double rough : {0.0, 0.05, 0.3}) {
        double best = -1.0;
        const DispersionFound found = searchDispersion(
            [&](const DispersionTerms& terms) {
                const double uneven = std::sin(7.0 * terms[0] + 13.0 * terms[1]);
                const double sharpness = bell(terms, {400.0, 320.0, 0.0}) + rough * uneven;
                best = std::max(best, sharpness);
                return sharpness;
            },
            {}, nullptr);
        EXPECT_EQ(found.sharpness, best) << rough;
    }
}

TEST(DispersionSearch, tellsOfTermsNearTheirLimit) {
    const auto near = [](const DispersionTerms& terms) {
        return termsNearLimit({.terms = terms}, {.largest = {1000.0, 2000.0, 4000.0}});
    };
    EXPECT_THAT(near({940.0, -1890.0, 0.0}), testing::IsEmpty());
    EXPECT_THAT(near({-960.0, 0.0, 0.0}), testing::ElementsAre(0U));
    EXPECT_THAT(near({0.0, 1999.0, -4000.0}), testing::ElementsAre(1U, 2U));
    const DispersionSearchOptions tight{.largest = {200.0, 2000.0, 4000.0}};
    const DispersionFound found = searchDispersion(
        [](const DispersionTerms& terms) {
            return bell(terms, {900.0, 0.0, 0.0});
        },
        tight, nullptr);
    EXPECT_TRUE(std::isfinite(found.sharpness));
    EXPECT_THAT(termsNearLimit(found, tight), testing::Contains(0U));
}

} // namespace

} // namespace echolux
