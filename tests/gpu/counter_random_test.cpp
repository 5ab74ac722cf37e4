// SPDX-License-Identifier: GPL-3.0-or-later
// The random numbers against published values and their distributions.
#include "gpu/core/counter_random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace echolux {

namespace {

using Words = std::array<std::uint32_t, 4>;

// Known answers that the authors of Philox publish with Random123 (kat_vectors, philox4x32 10).
TEST(CounterRandom, philoxGivesThePublishedWords) {
    EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
              (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    constexpr std::uint32_t kOnes = 0xffffffff;
    EXPECT_EQ(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
              (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(CounterRandom, normalNumbersHaveTheMomentsOfANormalDistribution) {
    const CounterRandom random(7, RandomStream::Noise);
    constexpr std::uint32_t kDraws = 250000;
    std::array<double, 5> moments{};
    for (std::uint32_t i = 0; i < kDraws; ++i)
        for (const double value : random.normal(i))
            for (std::size_t power = 1; power < moments.size(); ++power)
                moments[power] += std::pow(value, static_cast<int>(power)) / (4.0 * kDraws);
    EXPECT_NEAR(moments[1], 0.0, 0.004);
    EXPECT_NEAR(moments[2], 1.0, 0.006);
    EXPECT_NEAR(moments[3], 0.0, 0.015);
    EXPECT_NEAR(moments[4], 3.0, 0.04);
}

TEST(CounterRandom, seedsStreamsAndPlacesDiffer) {
    const auto first = CounterRandom(1, RandomStream::Noise).uniform(1, 2, 3);
    EXPECT_EQ(first, CounterRandom(1, RandomStream::Noise).uniform(1, 2, 3));
    EXPECT_NE(first, CounterRandom(2, RandomStream::Noise).uniform(1, 2, 3));
    EXPECT_NE(first, CounterRandom(1ULL << 32U | 1U, RandomStream::Noise).uniform(1, 2, 3));
    EXPECT_NE(first, CounterRandom(1, RandomStream::Speckle).uniform(1, 2, 3));
    EXPECT_NE(first, CounterRandom(1, RandomStream::Noise).uniform(2, 2, 3));
    EXPECT_NE(first, CounterRandom(1, RandomStream::Noise).uniform(1, 3, 3));
    EXPECT_NE(first, CounterRandom(1, RandomStream::Noise).uniform(1, 2, 4));
}

} // namespace

} // namespace echolux
