// SPDX-License-Identifier: GPL-3.0-or-later
// Mean and spread over frames, temporal SNR and roll-off, against closed forms.
#include "app/measure/figures.hpp"
#include "app/measure/over_frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace echolux::measure {
namespace {

const std::vector<Measurement> kShapes{
    {.name = "all", .kind = Kind::Rectangle, .places = {{-0.5, -0.5}, {3.5, 3.5}}},
    {.name = "peak", .kind = Kind::Point, .places = {{1.0, 5.0}}, .search = 100.0}};

MeasuredImage imageOf(std::int64_t rows,
                      double (*amplitude)(std::int64_t row, std::int64_t column)) {
    MeasuredImage image{.lateral = {0.0, 1.0, 4}, .depth = {0.0, 1.0, rows}};
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < 4; ++column)
            image.values.push_back(static_cast<float>(amplitude(row, column)));
    return image;
}

double valueNamed(const std::vector<Figure>& figures, const std::string& id) {
    const auto found = std::ranges::find(figures, id, &Figure::id);
    return found == figures.end() ? kNothing : found->value;
}

std::vector<MeasuredSpread> over(const std::vector<MeasuredImage>& frames) {
    OverFrames all(kShapes);
    for (const MeasuredImage& frame : frames) all.add(frame, measureAll(frame, kShapes));
    return all.result();
}

TEST(OverFrames, MeansSpreadsAndTemporalSnrAreThoseOfTheirFormulas) {
    // Amplitudes of 4 and 6: mean 5, variance 1 of the population and 2 of the sample.
    const auto low = imageOf(4, [](std::int64_t, std::int64_t) { return 4.0; });
    const auto high = imageOf(4, [](std::int64_t, std::int64_t) { return 6.0; });
    const auto spread = over({low, high});
    const auto mean = std::ranges::find_if(
        spread[0].figures, [](const SpreadFigure& each) { return each.mean.id == "mean"; });
    ASSERT_NE(mean, spread[0].figures.end());
    EXPECT_DOUBLE_EQ(mean->mean.value, 5.0);
    EXPECT_DOUBLE_EQ(mean->deviation, std::sqrt(2.0));
    EXPECT_EQ(mean->frames, 2U);
    EXPECT_NEAR(valueNamed(spread[0].together, "temporal_snr"), 10.0 * std::log10(25.0), 1e-9);
    EXPECT_TRUE(std::isnan(valueNamed(over({low, low})[0].together, "temporal_snr"))) << "no noise";
    EXPECT_TRUE(over({low})[0].together.empty()) << "of one frame";
}

TEST(OverFrames, RollOffIsTheSlopeOfThePeakOverItsDepth) {
    std::vector<MeasuredImage> frames;
    for (const std::int64_t at : {10, 20, 30, 40}) {
        MeasuredImage image = imageOf(50, [](std::int64_t, std::int64_t) { return 1e-4; });
        const double level = -0.3 * static_cast<double>(at); // dB
        image.values[static_cast<std::size_t>(4 * at + 1)] =
            static_cast<float>(std::pow(10.0, level / 20.0));
        frames.push_back(image);
    }
    // The top of a parabola through equal neighbours is the pixel itself.
    EXPECT_NEAR(valueNamed(over(frames)[1].together, "roll_off"), -0.3, 1e-4);
    EXPECT_TRUE(std::isnan(valueNamed(over({frames[0], frames[0]})[1].together, "roll_off")))
        << "it did not move";
}

TEST(MeasureFigures, SlopeOfALineIsThatOfItsLevels) {
    MeasuredImage image = imageOf(50, [](std::int64_t row, std::int64_t) {
        return std::pow(10.0, -0.5 * static_cast<double>(row) / 20.0);
    });
    const auto figures = figuresOfLine(
        image, {.name = "ramp", .kind = Kind::Line, .places = {{1.0, 5.0}, {1.0, 45.0}}});
    EXPECT_NEAR(valueNamed(figures, "slope"), -0.5, 1e-3);
    EXPECT_LT(valueNamed(figures, "slope_deviation"), 0.02);
    const FittedLine fitted = lineThrough({0.0, 1.0, 2.0}, {0.0, 3.0, 0.0});
    EXPECT_DOUBLE_EQ(fitted.slope, 0.0);
    EXPECT_DOUBLE_EQ(fitted.deviation, std::sqrt(2.0));
    EXPECT_TRUE(std::isnan(lineThrough({1.0, 1.0}, {0.0, 1.0}).slope));
}

} // namespace
} // namespace echolux::measure
