// SPDX-License-Identifier: GPL-3.0-or-later
// Points, distances and blobs in volumes, against closed forms of a Gaussian.
#include "app/measure/figures.hpp"
#include "app/measure/over_frames.hpp"
#include "tests/measure/figure_named.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace echolux::measure {
namespace {

constexpr double kLateral = 0.31; ///< standard deviations in mm
constexpr double kDepth = 0.17;
constexpr double kElevation = 0.43;
const Place kCentre{0.26, 12.13, -0.34};

/// In dB; steps of 0.1, 0.05 and 0.15 mm.
FrameSpec volumeSpec() {
    FrameSpec spec;
    spec.axes = {{AxisName::Elevation, 31, 0.15e-3, -2.25e-3, "m"},
                 {AxisName::Depth, 81, 0.05e-3, 10e-3, "m"},
                 {AxisName::Lateral, 41, 0.1e-3, -2e-3, "m"}};
    spec.valueRange = ValueRange{-300.0, 0.0, "dB", ""};
    return spec;
}

double levelAt(const Place& at) {
    const double exponent = std::pow((at.lateral - kCentre.lateral) / kLateral, 2) +
                            std::pow((at.depth - kCentre.depth) / kDepth, 2) +
                            std::pow((at.elevation - kCentre.elevation) / kElevation, 2);
    return -10.0 * std::numbers::log10e * exponent;
}

MeasuredImage gaussian() {
    const FrameSpec spec = volumeSpec();
    std::vector<float> values;
    for (int plane = 0; plane < 31; ++plane)
        for (int row = 0; row < 81; ++row)
            for (int column = 0; column < 41; ++column)
                values.push_back(static_cast<float>(
                    levelAt({-2.0 + 0.1 * column, 10.0 + 0.05 * row, -2.25 + 0.15 * plane})));
    return MeasuredImage::of(spec, values);
}

TEST(Volume, APointHasThreeWidthsAndThreePlaces) {
    const auto figures =
        figuresInVolume(gaussian(), {.name = "point", .places = {{0.0, 12.0, 0.0}}});
    EXPECT_NEAR(figureOf(figures, "lateral"), kCentre.lateral, 1e-3);
    EXPECT_NEAR(figureOf(figures, "depth"), kCentre.depth, 1e-3);
    EXPECT_NEAR(figureOf(figures, "elevation"), kCentre.elevation, 1e-3);
    // A Gaussian of deviation s falls by L dB at s sqrt(L ln 10 / 10).
    const auto width = [](double deviation, double levelDb) {
        return 2.0 * deviation * std::sqrt(levelDb * std::numbers::ln10 / 10.0);
    };
    EXPECT_NEAR(figureOf(figures, "elevation_width"), width(kElevation, 6.0), 0.01);
    EXPECT_NEAR(figureOf(figures, "elevation_width_20"), width(kElevation, 20.0), 0.01);
    EXPECT_NEAR(figureOf(figures, "lateral_width"), width(kLateral, 6.0), 0.01);
    EXPECT_NEAR(figureOf(figures, "depth_width"), width(kDepth, 6.0), 0.01);
}

/// Down to L dB below its peak a Gaussian is an ellipsoid whose half axes are half its widths.
TEST(Volume, ABlobIsAnEllipsoid) {
    const double half = std::sqrt(20.0 * std::numbers::ln10 / 10.0);
    const double volume =
        4.0 / 3.0 * std::numbers::pi * std::pow(half, 3) * kLateral * kDepth * kElevation;
    const auto figures = figuresInVolume(
        gaussian(),
        {.name = "blob", .kind = Kind::Blob, .places = {{0.0, 12.0, 0.0}}, .threshold = 20.0});
    // The brightest voxel lies 0.1 dB or so below the centre.
    EXPECT_NEAR(figureOf(figures, "volume"), volume, 0.02 * volume);
    EXPECT_NEAR(figureOf(figures, "equivalent_diameter"),
                2.0 * half * std::cbrt(kLateral * kDepth * kElevation), 0.02);
}

TEST(Volume, ABlobOfAPlaneIsAnEllipse) {
    const MeasuredImage plane = gaussian().planeAt(-0.34);
    const double squared = 12.0 * std::numbers::ln10 / 10.0;
    const auto figures = figuresOfBlob(
        plane, {.name = "blob", .kind = Kind::Blob, .places = {{0.0, 12.0}}, .threshold = 12.0});
    const double area = std::numbers::pi * squared * kLateral * kDepth;
    EXPECT_NEAR(figureOf(figures, "area"), area, 0.03 * area); // some 90 pixels
}

/// Two blocks that touch at a corner only are two blobs.
TEST(Volume, OnlyVoxelsThatShareAFaceHangTogether) {
    MeasuredImage image{.lateral = {0.0, 1.0, 8}, .depth = {0.0, 1.0, 8}};
    image.values.assign(64, 0.01F);
    for (const int at : {9, 10, 17, 18, 27, 28, 35, 36}) // rows 1 and 2, columns 1 and 2; 3, 4
        image.values[static_cast<std::size_t>(at)] = 1.0F;
    const auto figures = figuresOfBlob(
        image, {.name = "blob", .kind = Kind::Blob, .places = {{1.0, 1.0}}, .search = 0.5});
    EXPECT_EQ(figureOf(figures, "pixels"), 4.0);
}

TEST(Volume, DistancesLieInSpace) {
    const auto measured = measureAll(
        gaussian(),
        {{.name = "a", .kind = Kind::Line, .places = {{0, 11, 0}, {0.4, 11.4, 0.7}}},
         {.name = "b", .kind = Kind::Polyline, .places = {{0, 11, 0}, {0, 11, 2}, {0, 14, 2}}}});
    EXPECT_NEAR(figureOf(measured[0].figures, "length"), 0.9, 1e-12);
    EXPECT_NEAR(figureOf(measured[1].figures, "length"), 5.0, 1e-12);
}

/// The window measures the plane that it shows. Places of other planes keep their elevation.
TEST(Volume, DistancesLieInSpaceOnAPlaneToo) {
    const auto measured =
        measureAll(gaussian().planeAt(0.0),
                   {{.name = "a", .kind = Kind::Line, .places = {{0, 11, 0}, {0.4, 11.4, 0.7}}}});
    EXPECT_NEAR(figureOf(measured[0].figures, "length"), 0.9, 1e-12);
}

TEST(Volume, OtherShapesAreMeasuredOnTheirPlane) {
    const MeasuredImage volume = gaussian();
    const Measurement region{
        .name = "r", .kind = Kind::Rectangle, .places = {{-1, 11, 0.3}, {1, 13, 0.3}}};
    const auto measured = measureAll(volume, {region});
    // The plane at 0.3 mm.
    EXPECT_NEAR(figureOf(measured[0].figures, "max"), levelAt({0.3, 12.15, 0.3}), 1e-4);
    OverFrames over({region});
    for (int n = 0; n < 2; ++n) over.add(volume, measured);
    EXPECT_FALSE(over.result()[0].together.empty());
}

/// Lines whose depth is contiguous, as OCT has them.
TEST(Volume, PlanesOfLinesInDepthAreTurned) {
    FrameSpec spec;
    spec.axes = {{AxisName::Elevation, 2, 1e-3, 0.0, "m"},
                 {AxisName::Lateral, 2, 1e-3, 0.0, "m"},
                 {AxisName::Depth, 3, 1e-3, 0.0, "m"}};
    const std::vector<float> values{0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15};
    const MeasuredImage image = MeasuredImage::of(spec, values);
    EXPECT_THAT(image.values, testing::ElementsAre(0, 3, 1, 4, 2, 5, 10, 13, 11, 14, 12, 15));
    EXPECT_THAT(image.planeAt(1.2).values, testing::ElementsAre(10, 13, 11, 14, 12, 15));
}

TEST(Volume, WhatCannotBeMeasuredIsSaid) {
    const auto problem = [](const Measurement& made) {
        return measureAll(gaussian(), {made})[0].problem;
    };
    EXPECT_THAT(problem({.name = "far", .places = {{0, 12, 9}}}), testing::HasSubstr("'far'"));
    EXPECT_THAT(
        problem({.name = "r", .kind = Kind::Rectangle, .places = {{-1, 11, 9}, {1, 13, 9}}}),
        testing::HasSubstr("outside the volume"));
    EXPECT_THAT(
        problem({.name = "all", .kind = Kind::Blob, .places = {{0, 12, 0}}, .threshold = 500.0}),
        testing::HasSubstr("reaches the edge"));
}

} // namespace
} // namespace echolux::measure
