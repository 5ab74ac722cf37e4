// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks against hand-made tables, and their invariants over many ranges.
#include "render/view/ticks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace echolux {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pointwise;

std::vector<std::string> labels(const Ticks& ticks) {
    std::vector<std::string> texts;
    for (const double value : ticks.major) texts.push_back(ticks.label(value));
    return texts;
}

TEST(Ticks, RoundNumbersOfKnownRanges) {
    EXPECT_THAT(labels(makeTicks(-19.2, 19.2, 4.0)),
                ElementsAre("\u221215", "\u221210", "\u22125", "0", "5", "10", "15"));
    EXPECT_THAT(labels(makeTicks(0.0, 42.0, 9.0)), ElementsAre("0", "10", "20", "30", "40"));
    EXPECT_THAT(labels(makeTicks(-60.0, 0.0, 11.0)),
                ElementsAre("\u221260", "\u221240", "\u221220", "0"));
    EXPECT_THAT(labels(makeTicks(1.03, 1.31, 0.04)),
                ElementsAre("1.05", "1.10", "1.15", "1.20", "1.25", "1.30"));
    EXPECT_THAT(labels(makeTicks(-0.3, 0.3, 0.2)), ElementsAre("\u22120.2", "0.0", "0.2"));
}

TEST(Ticks, EndsThatRoundingMovedStillCount) {
    const Ticks ticks = makeTicks(0.1 + 0.2 - 0.3, 0.7 + 0.1 + 0.2 - 1e-16, 0.1);
    EXPECT_EQ(ticks.major.size(), 11U); // 0.0, 0.1, ... 1.0
}

TEST(Ticks, MinorOnesDivideTheStepRoundly) {
    EXPECT_THAT(makeTicks(0.0, 10.0, 9.0).minor,
                Pointwise(DoubleNear(1e-12), {2.0, 4.0, 6.0, 8.0}));
    EXPECT_THAT(makeTicks(0.0, 2.0, 1.5).minor, Pointwise(DoubleNear(1e-12), {0.5, 1.0, 1.5}));
    EXPECT_THAT(makeTicks(0.0, 5.0, 4.0).minor, Pointwise(DoubleNear(1e-12), {1.0, 2.0, 3.0, 4.0}));
}

TEST(Ticks, NonsenseHasNone) {
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_THAT(makeTicks(1.0, 1.0, 0.1).major, IsEmpty());
    EXPECT_THAT(makeTicks(2.0, 1.0, 0.1).major, IsEmpty());
    EXPECT_THAT(makeTicks(std::nan(""), 1.0, 0.1).major, IsEmpty());
    EXPECT_THAT(makeTicks(0.0, inf, 0.1).major, IsEmpty());
    EXPECT_THAT(makeTicks(1e18, 1e18 + 512.0, 1.0).major, IsEmpty());
}

TEST(Ticks, InvariantsOverRandomRanges) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> exponent(-6.0, 6.0);
    std::uniform_real_distribution<double> place(-3.0, 3.0);
    for (int round = 0; round < 500; ++round) {
        const double width = std::pow(10.0, exponent(random));
        const double min = place(random) * width;
        const double minStep = width / 7.0;
        const Ticks ticks = makeTicks(min, min + width, minStep);
        SCOPED_TRACE(testing::Message() << min << " + " << width);
        ASSERT_GE(ticks.major.size(), 2U); // a step is less than 2.5 of the least step
        ASSERT_LE(ticks.major.size(), 8U);
        EXPECT_GE(ticks.step, minStep * (1 - 1e-9));
        EXPECT_LT(ticks.step, 2.5 * minStep * (1 + 1e-9));
        for (const double value : ticks.major) {
            EXPECT_NEAR(std::remainder(value, ticks.step), 0.0, 1e-6 * ticks.step);
            EXPECT_GE(value, min - 1e-6 * ticks.step);
            EXPECT_LE(value, min + width + 1e-6 * ticks.step);
        }
    }
}

TEST(Ticks, AbsurdlyFineStepsStayBounded) {
    EXPECT_LE(makeTicks(0.0, 1.0, 1e-12).major.size(), 1001U);
    EXPECT_LE(makeTicks(0.0, 1.0, 0.0).major.size(), 1001U);
}

TEST(FormatNumber, SignsAndZero) {
    EXPECT_EQ(formatNumber(-0.04, 1), "0.0");
    EXPECT_EQ(formatNumber(-0.06, 1), "\u22120.1");
    EXPECT_EQ(formatNumber(12.345, 2), "12.35");
    EXPECT_EQ(formatNumber(-0.0, 0), "0");
}

TEST(Ticks, RoundLengthsFitIntoWhatThereIs) {
    EXPECT_DOUBLE_EQ(roundDown(7.5), 5.0);
    EXPECT_DOUBLE_EQ(roundDown(5.0), 5.0);
    EXPECT_DOUBLE_EQ(roundDown(4.99), 2.0);
    EXPECT_DOUBLE_EQ(roundDown(1.9), 1.0);
    EXPECT_NEAR(roundDown(0.034), 0.02, 1e-12);
}

} // namespace
} // namespace echolux
