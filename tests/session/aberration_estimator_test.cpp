// SPDX-License-Identifier: GPL-3.0-or-later
// What an estimate is told by the pipeline, and the width of points.
#include "app/session/aberration_estimator.hpp"
#include "gpu/core/error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace echolux {
namespace {

TEST(HalfWidth, OfAGaussianIsItsFullWidthAtHalfAmplitude) {
    std::vector<double> powers;
    constexpr double kSigma = 5.0; // of the amplitude, in steps
    for (int i = 0; i < 80; ++i) powers.push_back(std::exp(-std::pow((i - 37.3) / kSigma, 2.0)));
    ASSERT_TRUE(halfWidth(powers));
    EXPECT_NEAR(*halfWidth(powers), 2.0 * kSigma * std::sqrt(2.0 * std::log(2.0)), 0.05);
}

TEST(HalfWidth, IsNoneWhereASideDoesNotFall) {
    EXPECT_FALSE(halfWidth({}));
    EXPECT_FALSE(halfWidth({0.0, 0.0, 0.0}));
    EXPECT_FALSE(halfWidth({1.0, 0.9, 0.1}));
    EXPECT_FALSE(halfWidth({0.1, 0.9, 1.0}));
    EXPECT_TRUE(halfWidth({0.1, 0.9, 1.0, 0.2}));
}

} // namespace
} // namespace echolux
