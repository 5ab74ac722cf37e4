// SPDX-License-Identifier: GPL-3.0-or-later
// Figures against NumPy and closed forms.
#include "app/measure/figures.hpp"
#include "gpu/core/error.hpp"
#include "tests/measure/figure_named.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace echolux::measure {
namespace {

const test::Vectors& numpy() {
    static const test::Vectors read("measure/vectors/figures.txt");
    return read;
}

/// The images of make_vectors.py.
MeasuredImage imageOf(const std::string& name) {
    return {.lateral = {-3.2, 0.1, 64},
            .depth = {10.0, 0.05, 64},
            .isDb = true,
            .values = numpy()[name]};
}

const Measurement kTissue{
    .name = "tissue", .kind = Kind::Rectangle, .places = {{-2.501, 10.099}, {2.501, 11.001}}};
const Measurement kCyst{
    .name = "cyst", .kind = Kind::Ellipse, .places = {{0.0, 12.2}, {0.75, 0.75}}};

TEST(MeasureFigures, SpeckleIsThatOfNumpy) {
    const auto figures = figuresOfRegion(imageOf("image"), kTissue);
    for (const char* id : {"mean", "snr", "rayleigh_distance", "cell_lateral", "cell_depth"})
        EXPECT_NEAR(figureOf(figures, id), numpy()[id][0], 1e-6 * std::abs(numpy()[id][0])) << id;
    EXPECT_EQ(figureOf(figures, "pixels"), numpy()["pixels"][1]);
}

/// make_metrics.py
TEST(MeasureFigures, ContrastIsThatOfUltrasoundMetrics) {
    const test::Vectors theirs("measure/vectors/metrics.txt");
    const auto figures = figuresOfContrast(imageOf("image"), kCyst, kTissue);
    for (const char* id : {"contrast", "cnr", "gcnr"})
        EXPECT_NEAR(figureOf(figures, id), theirs[id][0], 1e-6 * std::abs(theirs[id][0])) << id;
}

TEST(MeasureFigures, SharpnessIsThatOfNumpy) {
    const auto figures = figuresOfRegion(imageOf("image"), kTissue);
    for (const char* id : {"sharpness_contrast", "sharpness_entropy", "sharpness_third_power",
                           "sharpness_fourth_power"})
        EXPECT_NEAR(figureOf(figures, id), numpy()[id][0], 1e-5 * std::abs(numpy()[id][0])) << id;
}

TEST(MeasureFigures, ContrastIsThatOfNumpy) {
    const auto figures = figuresOfContrast(imageOf("image"), kCyst, kTissue);
    for (const char* id : {"contrast", "cnr", "gcnr"})
        EXPECT_NEAR(figureOf(figures, id), numpy()[id][0], 1e-6 * std::abs(numpy()[id][0])) << id;
    EXPECT_EQ(figureOf(figuresOfRegion(imageOf("image"), kCyst), "pixels"), numpy()["pixels"][0]);
}

TEST(MeasureFigures, WidthsOfAPointAreThoseOfNumpyAndOfAGaussian) {
    const auto figures =
        figuresOfPoint(imageOf("point"), {.name = "wire", .places = {{0.3, 12.0}}, .search = 1.0});
    const std::array ids{"lateral_width", "depth_width", "lateral_width_20", "depth_width_20"};
    for (std::size_t i = 0; i < ids.size(); ++i)
        EXPECT_NEAR(figureOf(figures, ids[i]), numpy()["widths"][i], 1e-5) << ids[i];
    EXPECT_NEAR(figureOf(figures, "lateral"), 0.53, 1e-3);
    EXPECT_NEAR(figureOf(figures, "depth"), 12.22, 1e-3);
    // A Gaussian of deviation s falls by 6 dB at s sqrt(2 ln 10^0.3).
    const double half = std::sqrt(2.0 * std::numbers::ln10 * 0.3);
    EXPECT_NEAR(figureOf(figures, "lateral_width"), 2.0 * 0.31 * half, 0.01);
    EXPECT_NEAR(figureOf(figures, "depth_width"), 2.0 * 0.17 * half, 0.01);
}

/// cos^2 lobes of known heights along one line.
TEST(MeasureFigures, SideLobesAreFoundBesideTheMainLobe) {
    MeasuredImage image{.lateral = {0.0, 1.0, 41}, .depth = {0.0, 1.0, 3}};
    for (int row = 0; row < 3; ++row) {
        for (int n = 0; n < 41; ++n) {
            const double height = n < 15 ? 0.1 : n <= 25 ? 1.0 : 0.05;
            const double lobe = std::abs(std::sin(std::numbers::pi * (n - 15) / 10.0));
            image.values.push_back(
                static_cast<float>((row == 1 ? 1.0 : 0.5) * height * (lobe + 1e-6)));
        }
    }
    const auto figures =
        figuresOfPoint(image, {.name = "wire", .places = {{20.0, 1.0}}, .search = 3.0});
    EXPECT_NEAR(figureOf(figures, "side_lobe"), -20.0, 1e-4);
    double main = 0.0, beside = 0.0;
    for (int n = 0; n < 41; ++n) {
        const double value = image.value(1, n);
        (n >= 15 && n <= 25 ? main : beside) += value * value;
    }
    EXPECT_NEAR(figureOf(figures, "side_lobe_ratio"), 10.0 * std::log10(beside / main), 1e-6);
}

TEST(MeasureFigures, AnEdgeOfKnownSlopeHasItsWidth) {
    std::vector<double> ramp;
    for (int n = 0; n < 100; ++n) ramp.push_back(3.0 + 4.0 * std::clamp((n - 40) / 20.0, 0.0, 1.0));
    EXPECT_NEAR(edgeWidth(ramp), 16.0, 1e-9);
    std::ranges::reverse(ramp);
    EXPECT_NEAR(edgeWidth(ramp), 16.0, 1e-9);
    EXPECT_TRUE(std::isnan(edgeWidth(std::vector<double>(50, 2.0))));
}

TEST(MeasureFigures, LengthsAndAnglesAreThoseOfGeometry) {
    const MeasuredImage image{.lateral = {0.0, 1.0, 11},
                              .depth = {0.0, 1.0, 11},
                              .values = std::vector<float>(121, 1.0F)};
    const auto line =
        figuresOfLine(image, {.name = "a", .kind = Kind::Line, .places = {{1, 1}, {4, 5}}});
    EXPECT_DOUBLE_EQ(figureOf(line, "length"), 5.0);
    const auto way = figuresOfPolyline(
        image, {.name = "b", .kind = Kind::Polyline, .places = {{0, 0}, {3, 4}, {3, 6}}});
    EXPECT_DOUBLE_EQ(figureOf(way, "length"), 7.0);
    const auto angle = figuresOfAngle(
        image, {.name = "c", .kind = Kind::Angle, .places = {{4, 0}, {0, 0}, {2, 2}}});
    EXPECT_NEAR(figureOf(angle, "angle"), 45.0, 1e-12);
}

TEST(MeasureFigures, TheSameLevelsWithoutDbGiveTheSameFigures) {
    const MeasuredImage levels = imageOf("image");
    MeasuredImage linear = levels;
    linear.isDb = false;
    for (float& value : linear.values) value = std::pow(10.0F, value / 20.0F);
    const auto a = figuresOfContrast(levels, kCyst, kTissue);
    const auto b = figuresOfContrast(linear, kCyst, kTissue);
    EXPECT_NEAR(figureOf(a, "cnr"), figureOf(b, "cnr"), 1e-5);
    EXPECT_NEAR(figureOf(a, "contrast"), figureOf(b, "contrast"), 1e-5);
}

TEST(MeasureFigures, AnImageOfLinesInDepthIsTurned) {
    FrameSpec spec;
    spec.axes = {{AxisName::Lateral, 2, 1e-3, 0.0, "m"}, {AxisName::Depth, 3, 2e-3, 5e-3, "m"}};
    const std::vector<float> values{0, 1, 2, 3, 4, 5};
    const MeasuredImage image = MeasuredImage::of(spec, values);
    EXPECT_THAT(image.values, testing::ElementsAre(0, 3, 1, 4, 2, 5));
    EXPECT_DOUBLE_EQ(image.depth.at(1), 7.0);
    EXPECT_EQ(image.lateral.unit, "mm");
    spec.axes[0].unit.clear();
    EXPECT_EQ(MeasuredImage::of(spec, values).depth.unit, "px");
}

TEST(MeasureFigures, WhatCannotBeMeasuredIsSaid) {
    const MeasuredImage image{.lateral = {0.0, 1.0, 11},
                              .depth = {0.0, 1.0, 11},
                              .values = std::vector<float>(121, 1.0F)};
    const std::vector<Measurement> all{
        {.name = "one pixel", .kind = Kind::Rectangle, .places = {{1, 1}, {1.5, 1.5}}},
        {.name = "outside", .kind = Kind::Ellipse, .places = {{50, 50}, {2, 2}}},
        {.name = "short", .kind = Kind::Line, .places = {{1, 1}, {1, 1}}},
        {.name = "leaves", .kind = Kind::Line, .places = {{1, 1}, {1, 20}}},
        {.name = "far", .kind = Kind::Point, .places = {{-9, -9}}},
        {.name = "pair", .kind = Kind::Contrast, .inside = "outside", .outside = "nowhere"},
        {.name = "constant", .kind = Kind::Rectangle, .places = {{1, 1}, {5, 5}}},
    };
    const auto measured = measureAll(image, all);
    ASSERT_EQ(measured.size(), all.size());
    for (std::size_t n = 0; n + 1 < all.size(); ++n) {
        EXPECT_TRUE(measured[n].figures.empty()) << all[n].name;
        EXPECT_FALSE(measured[n].problem.empty()) << all[n].name;
    }
    EXPECT_DOUBLE_EQ(figureOf(measured.back().figures, "mean"), 1.0);
    FrameSpec channels;
    channels.axes = {{AxisName::Channel, 2, 1.0, 0.0, ""}, {AxisName::Sample, 6, 1.0, 0.0, ""}};
    EXPECT_THAT(
        testing_support::refusal([&] { MeasuredImage::of(channels, std::vector<float>(12)); }),
        testing::HasSubstr("planes and volumes"));
}

} // namespace
} // namespace echolux::measure
