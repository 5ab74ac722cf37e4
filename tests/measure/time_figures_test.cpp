// SPDX-License-Identifier: GPL-3.0-or-later
// Points and lines in M-mode and sonogram, against geometry.
#include "app/measure/figures.hpp"
#include "tests/measure/figure_named.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace echolux::measure {
namespace {

using testing::HasSubstr;

/// 5 rows from 10 mm on, and 101 lines 20 ms apart, the newest at 0; the value is the line.
FrameSpec mMode() {
    FrameSpec spec;
    spec.axes = {{AxisName::Depth, 5, 2e-3, 10e-3, "m"},
                 {AxisName::SlowTime, 101, 0.02, -2.0, "s"}};
    spec.valueRange = ValueRange{-60.0, 0.0, "dB", ""};
    return spec;
}

/// Velocities fall from 0.4 m/s by 0.1 m/s from row to row.
FrameSpec sonogram() {
    FrameSpec spec = mMode();
    spec.axes[0] = {AxisName::Velocity, 9, -0.1, 0.4, "m/s"};
    return spec;
}

MeasuredImage imageOf(const FrameSpec& spec) {
    std::vector<float> values;
    for (std::int64_t row = 0; row < spec.axes[0].size; ++row)
        for (std::int64_t line = 0; line < spec.axes[1].size; ++line)
            values.push_back(static_cast<float>(line) - 100.0F);
    return MeasuredImage::of(spec, values);
}

const Figure& figureNamed(const std::vector<Figure>& figures, const std::string& id) {
    for (const Figure& figure : figures)
        if (figure.id == id) return figure;
    throw std::runtime_error("no figure " + id);
}

Measurement lineFrom(const Place& a, const Place& b) {
    return {.name = "beat", .kind = Kind::Line, .places = {a, b}};
}

TEST(TimeFigures, AxesAreMillisecondsAndMillimetresOrVelocities) {
    const MeasuredImage mode = imageOf(mMode());
    EXPECT_EQ(mode.lateral.unit, "ms");
    EXPECT_EQ(mode.depth.unit, "mm");
    EXPECT_DOUBLE_EQ(mode.lateral.at(100), 0.0);
    EXPECT_DOUBLE_EQ(mode.lateral.at(99), -20.0);
    EXPECT_DOUBLE_EQ(mode.depth.at(1), 12.0);
    EXPECT_TRUE(mode.isDb);
    const MeasuredImage velocities = imageOf(sonogram());
    EXPECT_EQ(velocities.depth.unit, "cm/s");
    EXPECT_DOUBLE_EQ(velocities.depth.at(0), 40.0);
    EXPECT_NEAR(velocities.depth.at(8), -40.0, 1e-12);
}

TEST(TimeFigures, ALineHasDurationSlopeAndRate) {
    // 6 mm in 0.5 s: 12 mm/s; a period of 0.5 s is 120 in a minute.
    for (const auto& made :
         {lineFrom({-1500, 11}, {-1000, 17}), lineFrom({-1000, 17}, {-1500, 11})}) {
        const auto figures = figuresOfLine(imageOf(mMode()), made);
        EXPECT_DOUBLE_EQ(figureOf(figures, "duration"), 500.0);
        EXPECT_DOUBLE_EQ(figureOf(figures, "depth_change"), 6.0);
        EXPECT_DOUBLE_EQ(figureOf(figures, "slope"), 12.0);
        EXPECT_DOUBLE_EQ(figureOf(figures, "rate"), 120.0);
        EXPECT_EQ(figureNamed(figures, "slope").unit, "mm/s");
        EXPECT_EQ(figureNamed(figures, "duration").unit, "ms");
    }
    const auto upright = figuresOfLine(imageOf(mMode()), lineFrom({-500, 11}, {-500, 17}));
    EXPECT_TRUE(std::isnan(figureOf(upright, "slope")));
    EXPECT_TRUE(std::isnan(figureOf(upright, "rate")));
}

TEST(TimeFigures, ALineOfASonogramHasAnAcceleration) {
    const auto figures = figuresOfLine(imageOf(sonogram()), lineFrom({-400, -10}, {-200, 30}));
    EXPECT_DOUBLE_EQ(figureOf(figures, "velocity_change"), 40.0);
    EXPECT_DOUBLE_EQ(figureOf(figures, "slope"), 200.0);
    EXPECT_EQ(figureNamed(figures, "slope").unit, "cm/s2");
}

TEST(TimeFigures, APointIsACursor) {
    const Measurement point{.name = "peak", .kind = Kind::Point, .places = {{-210.0, 25.0}}};
    const auto figures = figuresOfPoint(imageOf(sonogram()), point);
    EXPECT_DOUBLE_EQ(figureOf(figures, "time"), -210.0);
    EXPECT_DOUBLE_EQ(figureOf(figures, "velocity"), 25.0);
    EXPECT_NEAR(figureOf(figures, "level"), -10.5, 1e-5); // between lines 89 and 90
}

TEST(TimeFigures, OuterPixelsReachHalfAStepBeyondTheirCentres) {
    const auto level = [](double time) {
        const Measurement point{.name = "edge", .kind = Kind::Point, .places = {{time, 11.0}}};
        const auto measured = measureAll(imageOf(mMode()), {point})[0];
        return measured.problem.empty() ? figureOf(measured.figures, "level") : kNothing;
    };
    EXPECT_NEAR(level(9.0), 0.0, 1e-5);
    EXPECT_NEAR(level(-2009.0), -100.0, 1e-5);
    EXPECT_TRUE(std::isnan(level(11.0)));
}

TEST(TimeFigures, WithoutTheTimeBetweenFramesTheyAreCounted) {
    FrameSpec spec = sonogram();
    spec.axes[0] = {AxisName::Velocity, 9, -0.1, 0.4, "rad"};
    spec.axes[1] = {AxisName::SlowTime, 101, 1.0, -100.0, ""};
    const auto figures = figuresOfLine(imageOf(spec), lineFrom({-30, 0.0}, {-10, 0.4}));
    EXPECT_DOUBLE_EQ(figureOf(figures, "duration"), 20.0);
    EXPECT_EQ(figureNamed(figures, "duration").unit, "frames");
    EXPECT_DOUBLE_EQ(figureOf(figures, "slope"), 0.02);
    EXPECT_EQ(figureNamed(figures, "slope").unit, "rad/frame");
    for (const Figure& figure : figures) EXPECT_NE(figure.id, "rate");
}

TEST(TimeFigures, RegionsHaveStatisticsAndNoArea) {
    const auto figures =
        figuresOfRegion(imageOf(sonogram()),
                        {.name = "gate", .kind = Kind::Rectangle, .places = {{-101, -1}, {1, 41}}});
    EXPECT_EQ(figureOf(figures, "pixels"), 30.0); // 6 lines, 5 velocities
    EXPECT_FLOAT_EQ(static_cast<float>(figureOf(figures, "max")), 0.0F);
    EXPECT_FLOAT_EQ(static_cast<float>(figureOf(figures, "min")), -5.0F);
    for (const Figure& figure : figures) EXPECT_NE(figure.id, "area");
}

TEST(TimeFigures, ShapesThatNeedLengthsAreRefused) {
    const MeasuredImage image = imageOf(mMode());
    const auto problem = [&](const Measurement& made) {
        return measureAll(image, {made})[0].problem;
    };
    EXPECT_THAT(problem({.name = "a", .kind = Kind::Polyline, .places = {{-9, 11}, {-1, 12}}}),
                HasSubstr("over time"));
    EXPECT_THAT(
        problem({.name = "a", .kind = Kind::Angle, .places = {{-9, 11}, {-1, 12}, {-1, 14}}}),
        HasSubstr("over time"));
    EXPECT_THAT(problem(lineFrom({-9, 11}, {-9, 11})), HasSubstr("begins where it ends"));
    EXPECT_THAT(problem(lineFrom({-9, 11}, {9000, 11})), HasSubstr("beside the image"));
}

TEST(TimeFigures, MeasurementsLieOnTheirView) {
    const std::vector<Measurement> all{{.name = "a"}, {.name = "b", .view = "m_mode"}};
    EXPECT_EQ(onView(all, "", true)[0].name, "a");
    EXPECT_EQ(onView(all, "m_mode", false)[0].name, "b");
    EXPECT_EQ(onView(all, "m_mode", true).size(), 2U);
    EXPECT_TRUE(onView(all, "sonogram", false).empty());
}

} // namespace
} // namespace echolux::measure
