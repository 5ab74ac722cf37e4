// SPDX-License-Identifier: GPL-3.0-or-later
// Scores of bubbles against counts by hand.
#include "app/bench/bubble_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace echolux {
namespace {

TEST(BubbleScores, CountPairsWithinTheDistance) {
    const std::vector<BubbleState> truth{
        {5.0, 0.0, 1.0, 0.0}, {6.0, 0.0, 1.0, 0.0}, {7.0, 0.0, 0.0, 0.0}, {9.0, 3.0, 0.0, 0.0}};
    const std::vector<BubbleState> listed{
        {5.3, 0.4, 1.0, 0.3}, {5.9, 0.0, 1.0, 0.0}, {7.0, 1.5, 0.0, 0.0}};
    BubbleScores scores;
    scores.add(listed, truth, 1.0);
    EXPECT_EQ(scores.truePositives(), 2.0);
    EXPECT_EQ(scores.falsePositives(), 1.0);
    EXPECT_EQ(scores.falseNegatives(), 2.0);
    EXPECT_DOUBLE_EQ(scores.jaccard(), 2.0 / 5.0);
    EXPECT_DOUBLE_EQ(scores.precision(), 2.0 / 3.0);
    EXPECT_DOUBLE_EQ(scores.recall(), 2.0 / 4.0);
    EXPECT_NEAR(scores.axialRmseM(), std::sqrt((0.09 + 0.01) / 2.0), 1e-12);
    EXPECT_NEAR(scores.lateralRmseM(), std::sqrt(0.16 / 2.0), 1e-12);
    EXPECT_NEAR(scores.speedRmseMps(), std::sqrt(0.09 / 2.0), 1e-12);
    scores.add({}, truth, 1.0); // a frame in which none was found
    EXPECT_EQ(scores.falseNegatives(), 6.0);
    EXPECT_DOUBLE_EQ(scores.jaccard(), 2.0 / 9.0);
}

TEST(BubbleScores, ATrueBubbleHasOnePair) {
    const std::vector<BubbleState> truth{{1.0, 0.0, 0.0, 0.0}};
    const std::vector<BubbleState> listed{{1.2, 0.0, 0.0, 0.0}, {1.1, 0.0, 0.0, 0.0}};
    BubbleScores scores;
    scores.add(listed, truth, 0.5);
    EXPECT_EQ(scores.truePositives(), 1.0);
    EXPECT_EQ(scores.falsePositives(), 1.0);
    EXPECT_NEAR(scores.axialRmseM(), 0.1, 1e-12);
}

TEST(BubbleScores, WithoutPairsThereIsNoError) {
    BubbleScores scores;
    scores.add({}, {}, 1.0);
    EXPECT_TRUE(std::isnan(scores.jaccard()));
    EXPECT_TRUE(std::isnan(scores.axialRmseM()));
}

} // namespace
} // namespace echolux
