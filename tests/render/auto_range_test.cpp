// SPDX-License-Identifier: GPL-3.0-or-later
// The display range found in an image: noise goes dark, speckle stays, what is nothing is left out.
#include "render/view/auto_range.hpp"

#include "gpu/core/decibels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>

namespace echolux {
namespace {

/// Levels of speckle whose mean power is 0 dB.
std::vector<float> speckle(std::size_t count) {
    std::mt19937 random(3);
    std::exponential_distribution<double> power(1.0);
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(10.0 * std::log10(power(random)));
    return values;
}

TEST(AutoRange, NoiseBelowAFewBrightLayersGoesDark) {
    std::vector<float> values = speckle(10000);
    for (std::size_t i = 0; i < 100; ++i) values[100 * i] += 40.0F;
    const auto range = autoRange(values, Content::Decibels);
    ASSERT_TRUE(range);
    EXPECT_NEAR(range->first, -5.4, 1.0) << "the noise's lower quartile, not its tail";
    EXPECT_GT(range->second, 40.0);
}

TEST(AutoRange, SpeckleAllOverKeepsFortyDecibels) {
    const auto range = autoRange(speckle(10000), Content::Decibels);
    ASSERT_TRUE(range);
    EXPECT_NEAR(range->second, 8.4, 1.0);
    EXPECT_NEAR(range->first, -20.0, 1.5) << "no farther than the darkest hundredth";
    std::vector<float> deep = speckle(10000);
    for (std::size_t i = 0; i < deep.size() / 5; ++i) deep[i] -= 60.0F; // free of echoes
    const auto both = autoRange(deep, Content::Decibels);
    EXPECT_NEAR(both->first, both->second - 40.0, 1.0);
}

TEST(AutoRange, ProjectionsShowTwentyFiveDecibelsAtMost) {
    // Maxima lie close together, beside a third of the lines that meet nothing but noise.
    std::vector<float> values(3000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] =
            i % 3 == 0 ? -30.0F + 0.01F * float(i % 1000) : 10.0F + 0.005F * float(i % 1000);
    const auto range = autoRange(values, Content::ProjectedDecibels);
    EXPECT_NEAR(range->second, 15.0, 0.5);
    EXPECT_NEAR(range->first, -10.0, 1.0);
    std::vector<float> tissue;
    std::ranges::copy_if(values, std::back_inserter(tissue), [](float v) { return v > 0.0F; });
    EXPECT_NEAR(autoRange(tissue, Content::ProjectedDecibels)->first, 10.0, 0.5);
}

TEST(AutoRange, WhatIsNothingOrNoNumberIsLeftOut) {
    std::vector<float> values = speckle(1000);
    const auto plain = autoRange(values, Content::Decibels);
    values.insert(values.end(), 2000, kNothingDb);
    values.insert(values.end(), 10, std::numeric_limits<float>::quiet_NaN());
    EXPECT_EQ(autoRange(values, Content::Decibels), plain);
    EXPECT_FALSE(autoRange(std::vector<float>(9, kNothingDb), Content::Decibels));
    EXPECT_FALSE(autoRange(std::vector<float>{}, Content::Amplitudes));
}

TEST(AutoRange, AmplitudesSpanWhatThereIs) {
    std::vector<float> values(1000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    const auto range = autoRange(values, Content::Amplitudes);
    EXPECT_NEAR(range->first, 10.0, 10.0);
    EXPECT_NEAR(range->second, 998.0, 10.0);
    const auto flat = autoRange(std::vector<float>(5, 7.0F), Content::Amplitudes);
    EXPECT_LT(flat->first, 7.0);
    EXPECT_GT(flat->second, 7.0);
}

} // namespace
} // namespace echolux
