// SPDX-License-Identifier: GPL-3.0-or-later
// Peaks of known shape: a Gaussian is a parabola in dB, whose vertex and widths have closed forms.
#include "app/session/column/peak_shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace echolux {
namespace {

/// 20 log10 of `amplitude` exp(-(i - at)^2 / (2 sigma^2)), not below `floorDb`.
std::vector<float> gaussianDb(std::size_t size, double at, double sigma, double peakDb,
                              double floorDb) {
    std::vector<float> db(size);
    for (std::size_t i = 0; i < size; ++i) {
        const double u = (static_cast<double>(i) - at) / sigma;
        db[i] = static_cast<float>(
            std::max(floorDb, peakDb - 20.0 * std::log10(std::exp(1.0)) * 0.5 * u * u));
    }
    return db;
}

TEST(PeakShape, GaussianHasItsClosedForms) {
    for (const double at : {40.0, 40.3, 40.5, 40.77}) {
        for (const double sigma : {1.2, 2.0, 5.0}) {
            const auto shape = highestPeak(gaussianDb(100, at, sigma, 73.5, 30.0));
            ASSERT_TRUE(shape && shape->fwhm && shape->width20);
            EXPECT_NEAR(shape->position, at, 1e-3);
            EXPECT_NEAR(shape->db, 73.5, 1e-3);
            // A straight line between samples of a parabola leaves an error of 1 / (8 half width).
            EXPECT_NEAR(shape->fwhm->size(), 2.0 * sigma * std::sqrt(2.0 * std::log(2.0)),
                        0.25 / sigma);
            EXPECT_NEAR(shape->width20->size(), 2.0 * sigma * std::sqrt(2.0 * std::log(10.0)),
                        0.15 / sigma);
        }
    }
}

TEST(PeakShape, TheZeroDelaysSlopeIsNoPeak) {
    std::vector<float> db = gaussianDb(64, 30.0, 2.0, 60.0, 20.0);
    db[0] = 100.0F;
    db[1] = 80.0F;
    EXPECT_NEAR(highestPeak(db)->position, 30.0, 1e-6);
}

TEST(PeakShape, WidthsThatTheNoiseHidesAreNotGuessed) {
    const auto shape = highestPeak(gaussianDb(64, 30.0, 2.0, 60.0, 50.0));
    ASSERT_TRUE(shape);
    EXPECT_TRUE(shape->fwhm);
    EXPECT_FALSE(shape->width20);
}

TEST(PeakShape, NothingIsFoundWhereThereIsNothing) {
    EXPECT_FALSE(highestPeak({}));
    EXPECT_FALSE(highestPeak(std::vector<float>(50, 30.0F)));
    EXPECT_FALSE(highestPeak(std::vector<float>(9, std::numeric_limits<float>::quiet_NaN())));
    std::vector<float> holed = gaussianDb(64, 30.0, 4.0, 60.0, 0.0);
    holed[32] = std::numeric_limits<float>::quiet_NaN();
    ASSERT_TRUE(highestPeak(holed));
    EXPECT_FALSE(highestPeak(holed)->fwhm);
}

} // namespace
} // namespace echolux
