// SPDX-License-Identifier: GPL-3.0-or-later
// Thickness between two surfaces, against closed forms and SciPy (make_calliper.py).
#include "app/measure/figures.hpp"
#include "tests/measure/figure_named.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace echolux::measure {
namespace {

/// Amplitudes that depend on depth and line; a sample every 0.01 mm, a line every 0.1 mm.
MeasuredImage imageOf(const std::function<double(double depth, int line)>& amplitude) {
    MeasuredImage image{.lateral = {-1.0, 0.1, 21}, .depth = {2.0, 0.01, 400}};
    for (std::int64_t row = 0; row < image.depth.size; ++row)
        for (int line = 0; line < 21; ++line)
            image.values.push_back(static_cast<float>(amplitude(image.depth.at(row), line)));
    return image;
}

double bell(double depth, double centre, double deviation) {
    return std::exp(-0.5 * std::pow((depth - centre) / deviation, 2));
}

Measurement calliperAt(double lateral, const Surfaces& surfaces = {}) {
    return {
        .name = "wall", .kind = Kind::Calliper, .places = {{lateral, 3.0}}, .surfaces = surfaces};
}

void expectDepths(const std::vector<Figure>& figures, double upper, double lower, double within) {
    EXPECT_NEAR(figureOf(figures, "upper"), upper, within);
    EXPECT_NEAR(figureOf(figures, "lower"), lower, within);
    EXPECT_NEAR(figureOf(figures, "thickness"), lower - upper, 2.0 * within);
}

/// The parabola through levels in dB is exact for a Gaussian, wherever it lies between samples.
TEST(Calliper, TwoGaussianPeaksAreFoundBetweenSamples) {
    const MeasuredImage linear = imageOf([](double depth, int) {
        return bell(depth, 3.1234, 0.04) + 0.2 * bell(depth, 4.6789, 0.06);
    });
    expectDepths(figuresOfCalliper(linear, calliperAt(0.0)), 3.1234, 4.6789, 1e-4);
    MeasuredImage levels = linear;
    levels.isDb = true;
    for (float& value : levels.values) value = 20.0F * std::log10(std::max(value, 1e-9F));
    expectDepths(figuresOfCalliper(levels, calliperAt(0.0)), 3.1234, 4.6789, 1e-4);
}

TEST(Calliper, ThicknessIsTheDistanceOverTheIndex) {
    const MeasuredImage image =
        imageOf([](double depth, int) { return bell(depth, 3.0, 0.04) + bell(depth, 4.4, 0.04); });
    const auto figures = figuresOfCalliper(image, calliperAt(0.0, {.index = 1.4}));
    EXPECT_NEAR(figureOf(figures, "thickness"), 1.0, 1e-4);
    EXPECT_NEAR(figureOf(figures, "lower") - figureOf(figures, "upper"), 1.4, 1e-4);
}

/// The slope of an error function is a Gaussian at its edge.
TEST(Calliper, EdgesOfALayerAreFoundBetweenSamples) {
    const auto edge = [](double depth, double at) { return std::erf((depth - at) / 0.05); };
    for (const double sign : {1.0, -1.0}) { // a bright layer, and a dark one
        const MeasuredImage image = imageOf([&](double depth, int) {
            return 3.0 + sign * (edge(depth, 3.0321) - 0.8 * edge(depth, 4.2468));
        });
        expectDepths(figuresOfCalliper(image, calliperAt(0.0, {.of = Surfaces::Of::Edges})), 3.0321,
                     4.2468, 1e-4);
    }
}

TEST(Calliper, OnlyTheSpanIsSearched) {
    const MeasuredImage image = imageOf([](double depth, int) {
        return 5.0 * bell(depth, 2.5, 0.04) + bell(depth, 3.5, 0.04) + 0.3 * bell(depth, 5.0, 0.04);
    });
    expectDepths(figuresOfCalliper(image, calliperAt(0.0)), 2.5, 3.5, 1e-4);
    expectDepths(figuresOfCalliper(image, calliperAt(0.0, {.span = {{3.0, 5.5}}})), 3.5, 5.0, 1e-4);
}

/// A surface that only one line has counts for a tenth in the mean over ten lines.
TEST(Calliper, LinesWithinTheWidthAreAveraged) {
    const MeasuredImage image = imageOf([](double depth, int line) {
        return bell(depth, 3.0, 0.04) + 0.5 * bell(depth, 4.0, 0.04) +
               (line == 10 ? 2.0 * bell(depth, 5.0, 0.04) : 0.0);
    });
    expectDepths(figuresOfCalliper(image, calliperAt(0.0)), 3.0, 5.0, 1e-4);
    expectDepths(figuresOfCalliper(image, calliperAt(0.0, {.width = 0.95})), 3.0, 4.0, 1e-4);
    expectDepths(figuresOfCalliper(image, calliperAt(0.14)), 3.0, 4.0, 1e-4);
}

TEST(Calliper, SurfacesInNoiseAreThoseOfScipy) {
    const test::Vectors scipy("measure/vectors/calliper.txt");
    const auto columnOf = [&](const std::string& name) {
        return MeasuredImage{
            .lateral = {0.0, 1.0, 1}, .depth = {4.0, 0.02, 200}, .values = scipy[name]};
    };
    const auto& peaks = scipy["peak_depths"];
    expectDepths(figuresOfCalliper(columnOf("peaks"), calliperAt(0.0)), peaks[0], peaks[1], 1e-5);
    const auto& edges = scipy["edge_depths"];
    expectDepths(figuresOfCalliper(columnOf("layer"), calliperAt(0.0, {.of = Surfaces::Of::Edges})),
                 edges[0], edges[1], 1e-5);
}

TEST(Calliper, PeaksAreProminentAsScipyDefinesIt) {
    using testing::ElementsAre;
    // scipy.signal.find_peaks([0, 9, 5, 8, 1, 7, 7, 7, 0], prominence=p)
    const std::vector<double> course{0, 9, 5, 8, 1, 7, 7, 7, 0};
    EXPECT_THAT(prominentPeaks(course, 3.0), ElementsAre(1, 3, 6));
    EXPECT_THAT(prominentPeaks(course, 3.5), ElementsAre(1, 6));
    EXPECT_THAT(prominentPeaks(course, 6.5), ElementsAre(1));
    EXPECT_TRUE(prominentPeaks({1, 1, 1}, 0.0).empty());
    EXPECT_TRUE(prominentPeaks({}, 0.0).empty());
}

TEST(Calliper, WhatIsNotFoundIsSaid) {
    const MeasuredImage one = imageOf([](double depth, int) { return bell(depth, 3.0, 0.04); });
    const MeasuredImage flat = imageOf([](double, int) { return 0.0; });
    const auto problem = [](const MeasuredImage& image, const Measurement& calliper) {
        return measureAll(image, {calliper})[0].problem;
    };
    EXPECT_THAT(problem(one, calliperAt(0.0)), testing::HasSubstr("only one of two"));
    EXPECT_THAT(problem(flat, calliperAt(0.0)), testing::HasSubstr("none of two"));
    EXPECT_THAT(problem(one, calliperAt(0.0, {.span = {{90.0, 91.0}}})),
                testing::HasSubstr("none of two"));
    EXPECT_THAT(problem(one, calliperAt(9.0)), testing::HasSubstr("beside the image"));
}

TEST(Calliper, IsDrawnWithABarAtEachSurface) {
    const MeasuredImage image =
        imageOf([](double depth, int) { return bell(depth, 3.0, 0.04) + bell(depth, 4.0, 0.04); });
    const std::vector<Measurement> all{calliperAt(0.5)};
    const auto drawn = asDrawn(all, measureAll(image, all));
    ASSERT_EQ(drawn.size(), 1U);
    EXPECT_EQ(drawn[0].name, "wall");
    const auto line = outlineOf(drawn[0]);
    ASSERT_EQ(line.size(), 6U);
    EXPECT_NEAR(line[1].lateral - line[0].lateral, 0.5, 1e-4);
    EXPECT_NEAR(line[1].depth, 3.0, 1e-4);
    EXPECT_NEAR(line[5].depth, 4.0, 1e-4);
    EXPECT_EQ(asDrawn(all, {}), all) << "without figures it stays as it is";
}

} // namespace
} // namespace echolux::measure
