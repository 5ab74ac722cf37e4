// SPDX-License-Identifier: GPL-3.0-or-later
// Differences of images and errors over a band, against closed forms.
#include "app/lab/band_error.hpp"
#include "app/lab/image_difference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

namespace echolux::test {
namespace {

using Kind = DelayInterpolation;

TEST(ImageDifference, IsTheRmsInDecibelsAndALevelPerPixel) {
    const std::vector<float> best{1.0F, 2.0F, 4.0F, 2.0F}; // RMS 2.5
    const std::vector<float> image{1.0F, 2.0F, 3.5F, 2.0F};
    const auto found = lab::imageDifference(image, best);
    EXPECT_NEAR(found.rmsDb, 20.0 * std::log10(0.25 / 2.5), 1e-9);
    ASSERT_EQ(found.levelsDb.size(), 4U);
    EXPECT_FLOAT_EQ(found.levelsDb[0], -160.0F);
    EXPECT_NEAR(found.levelsDb[2], 20.0 * std::log10(0.5 / 4.0), 1e-5);
}

TEST(ImageDifference, LeavesOutWhatIsNoNumberAndHasAFloor) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_NEAR(
        lab::imageDifference(std::vector{nan, 1.1F, 5.0F}, std::vector{1.0F, 1.0F, nan}).rmsDb,
        -20.0, 1e-5);
    const std::vector<float> same{1.0F, 2.0F};
    EXPECT_EQ(lab::imageDifference(same, same).rmsDb, lab::ImageDifference::kFloorDb);
    const std::vector<float> zeros{0.0F, 0.0F};
    EXPECT_EQ(lab::imageDifference(zeros, zeros).rmsDb, lab::ImageDifference::kFloorDb);
}

/// Of reading one frequency by straight lines: mean over d of |(1 - d) + d e^-iw - e^-iwd|^2.
double linearError(double frequency) {
    constexpr int kSteps = 20000;
    const double w = 2.0 * std::numbers::pi * frequency;
    double sum = 0.0;
    for (int i = 0; i < kSteps; ++i) {
        const double d = (i + 0.5) / kSteps;
        sum += std::norm((1.0 - d) + d * std::polar(1.0, -w) - std::polar(1.0, -w * d));
    }
    return std::sqrt(sum / kSteps);
}

TEST(BandError, OfStraightLinesIsTheClosedForm) {
    for (const double frequency : {0.05, 0.12, 0.25}) {
        EXPECT_NEAR(lab::bandError({{}, Kind::Linear}, {frequency, 0.002}) / linearError(frequency),
                    1.0, 0.02)
            << frequency;
    }
}

TEST(BandError, OfTheNearestSampleIsItsPhaseError) {
    // |e^-iwd - 1|^2 = 4 sin^2(w d / 2), with d even over -1/2 .. 1/2: 2 - 2 sinc(f).
    const double f = 0.1;
    const double x = std::numbers::pi * f;
    EXPECT_NEAR(lab::bandError({{}, Kind::Nearest}, {f, 0.002}),
                std::sqrt(2.0 - 2.0 * std::sin(x) / x), 2e-3);
}

TEST(BandError, FallsWithTheLengthWithinTheBand) {
    const EchoBand band{0.15, 0.09};
    EXPECT_GT(lab::bandError({{}, Kind::Linear}, band),
              lab::bandError({{}, Kind::Lagrange, 4}, band));
    EXPECT_GT(lab::bandError({{}, Kind::Lagrange, 4}, band),
              lab::bandError({{}, Kind::Lagrange, 6}, band));
    EXPECT_GT(lab::bandError({{}, Kind::LeastSquares, 4}, band),
              lab::bandError({{}, Kind::LeastSquares, 8}, band));
}

} // namespace
} // namespace echolux::test
