// SPDX-License-Identifier: GPL-3.0-or-later
// Figures along beams: Gaussian points, speckle and cysts of known statistics, on sectors of every
// kind of array, against closed forms.
#include "app/measure/beam_geometry.hpp"
#include "app/measure/distribution.hpp"
#include "app/measure/figures.hpp"
#include "app/measure/over_frames.hpp"
#include "tests/measure/figure_named.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <random>

namespace echolux::measure {
namespace {

constexpr double kDeg = std::numbers::pi / 180.0;
constexpr float kGap = std::numeric_limits<float>::quiet_NaN();

/// Lines from `first` to `last` degrees, from one apex.
Sector fan(double radiusM, double first, double last, int lines) {
    Sector sector;
    sector.radiusM = radiusM;
    for (int n = 0; n < lines; ++n)
        sector.anglesRad.push_back(kDeg * (first + (last - first) * n / (lines - 1)));
    return sector;
}

/// Parallel lines, tilted, from a flat array.
Sector tilted(double degrees, int lines, double stepM) {
    Sector sector;
    for (int n = 0; n < lines; ++n) {
        sector.starts.push_back({(n - 0.5 * (lines - 1)) * stepM, 0.0, 0.0});
        sector.anglesRad.push_back(kDeg * degrees);
    }
    return sector;
}

FrameSpec specOf(const Sector& sector, double firstM, double stepM, std::int64_t rows) {
    FrameSpec spec;
    spec.axes = {{AxisName::Depth, rows, stepM, firstM, "m"}, lateralAxisOf(sector)};
    spec.sector = std::make_shared<const Sector>(sector);
    return spec;
}

MeasuredImage
linesOf(const FrameSpec& spec,
        const std::function<double(const Place&, std::int64_t, std::int64_t)>& value) {
    const BeamGeometry geometry(*spec.sector, spec.axes[0]);
    std::vector<float> values;
    for (std::int64_t row = 0; row < geometry.rows(); ++row)
        for (std::int64_t line = 0; line < geometry.lines(); ++line)
            values.push_back(static_cast<float>(value(
                geometry.at(static_cast<double>(row), static_cast<double>(line)), row, line)));
    return MeasuredImage::ofLines(spec, values);
}

/// A Gaussian of deviation s falls by L dB at s sqrt(L ln 10 / 10).
double widthOfGaussian(double deviation, double levelDb) {
    return 2.0 * deviation * std::sqrt(levelDb * std::numbers::ln10 / 10.0);
}

TEST(SectorFigures, APointAsideHasItsWidthsAlongTheBeamAndAlongTheArc) {
    constexpr double kRange = 60.0, kAngle = 20.0 * kDeg, kAlong = 0.3, kAcross = 1.4; // mm, rad
    const FrameSpec spec = specOf(fan(0.0, -40.0, 40.0, 321), 40e-3, 0.05e-3, 801);
    const MeasuredImage image = linesOf(spec, [&](const Place& at, std::int64_t, std::int64_t) {
        const double range = std::hypot(at.lateral, at.depth);
        const double arc = kRange * (std::atan2(at.lateral, at.depth) - kAngle);
        return std::exp(-0.5 *
                        (std::pow((range - kRange) / kAlong, 2) + std::pow(arc / kAcross, 2)));
    });
    const Measurement point{.name = "point", .places = {{20.2, 56.7}}, .search = 2.0};
    const auto measured = measureAll(image, {point});
    ASSERT_EQ(measured[0].problem, "");
    const auto& figures = measured[0].figures;
    EXPECT_NEAR(figureOf(figures, "lateral"), kRange * std::sin(kAngle), 2e-3);
    EXPECT_NEAR(figureOf(figures, "depth"), kRange * std::cos(kAngle), 2e-3);
    EXPECT_NEAR(figureOf(figures, "lateral_width"), widthOfGaussian(kAcross, 6.0), 0.01);
    EXPECT_NEAR(figureOf(figures, "lateral_width_20"), widthOfGaussian(kAcross, 20.0), 0.02);
    EXPECT_NEAR(figureOf(figures, "depth_width"), widthOfGaussian(kAlong, 6.0), 0.002);
    EXPECT_NEAR(figureOf(figures, "depth_width_20"), widthOfGaussian(kAlong, 20.0), 0.002);
    EXPECT_EQ(measured[0].note, "");
}

/// Lines with starts of their own are cut at right angles, whatever way their starts lie.
TEST(SectorFigures, APointOfTiltedLinesIsCutAcrossTheBeam) {
    constexpr double kTilt = 25.0 * kDeg, kAlong = 0.4, kAcross = 1.1;
    const Place centre{4.0, 30.0};
    const FrameSpec spec = specOf(tilted(25.0, 301, 0.1e-3), 10e-3, 0.05e-3, 801);
    const MeasuredImage image = linesOf(spec, [&](const Place& at, std::int64_t, std::int64_t) {
        const double x = at.lateral - centre.lateral;
        const double z = at.depth - centre.depth;
        return std::exp(-0.5 *
                        (std::pow((x * std::sin(kTilt) + z * std::cos(kTilt)) / kAlong, 2) +
                         std::pow((x * std::cos(kTilt) - z * std::sin(kTilt)) / kAcross, 2)));
    });
    const auto figures = figuresOfPoint(image, {.name = "point", .places = {centre}});
    EXPECT_NEAR(figureOf(figures, "lateral_width"), widthOfGaussian(kAcross, 6.0), 0.01);
    EXPECT_NEAR(figureOf(figures, "depth_width"), widthOfGaussian(kAlong, 6.0), 0.003);
    EXPECT_NEAR(figureOf(figures, "lateral"), centre.lateral, 5e-3);
    EXPECT_NEAR(figureOf(figures, "depth"), centre.depth, 5e-3);
}

/// Independent complex Gaussian samples, a cyst of a fifth of the amplitude, no echo beside.
MeasuredImage speckle(double cystGain) {
    std::mt19937 random(49);
    std::normal_distribution<double> normal;
    const FrameSpec spec = specOf(fan(20e-3, -45.0, 45.0, 257), 10e-3, 0.1e-3, 700);
    return linesOf(spec, [&](const Place& at, std::int64_t, std::int64_t) {
        const bool inside = std::hypot(at.lateral - 10.0, at.depth - 60.0) <= 9.0;
        const double real = normal(random);
        return (inside ? cystGain : 1.0) * std::hypot(real, normal(random));
    });
}

const Measurement kSectorTissue{
    .name = "tissue", .kind = Kind::Rectangle, .places = {{-35.0, 40.0}, {-8.0, 75.0}}};
const Measurement kSectorCyst{
    .name = "cyst", .kind = Kind::Ellipse, .places = {{10.0, 60.0}, {8.8, 8.8}}};

/// Rayleigh: mean over deviation sqrt(pi / (4 - pi)) = 1.913 (Wagner et al. 1983).
TEST(SectorFigures, SpeckleAndCystHaveTheirStatistics) {
    constexpr double kGain = 0.2;
    const MeasuredImage image = speckle(kGain);
    const double pi = std::numbers::pi;
    const auto tissue = figuresOfRegion(image, kSectorTissue);
    EXPECT_GT(figureOf(tissue, "pixels"), 2e4);
    EXPECT_NEAR(figureOf(tissue, "snr"), std::sqrt(pi / (4.0 - pi)), 0.02);
    EXPECT_LT(figureOf(tissue, "rayleigh_distance"), 0.01);
    EXPECT_NEAR(figureOf(tissue, "cell_depth"), 0.1, 0.01) << "samples are independent";
    const auto pair = figuresOfContrast(image, kSectorCyst, kSectorTissue);
    EXPECT_NEAR(figureOf(pair, "contrast"), 20.0 * std::log10(kGain), 0.1);
    EXPECT_NEAR(figureOf(pair, "cnr"),
                std::sqrt(pi / (4.0 - pi)) * (1.0 - kGain) / std::hypot(1.0, kGain), 0.02);
}

/// 2 + cos(2 pi n / P) of line n: its autocovariance falls to half at P / 6.
TEST(SectorFigures, CellsAreAsWideAsTheirArc) {
    constexpr double kPeriod = 24.0;
    const FrameSpec spec = specOf(fan(0.0, -40.8, 40.8, 409), 60e-3, 0.1e-3, 41);
    const MeasuredImage image = linesOf(spec, [&](const Place&, std::int64_t, std::int64_t line) {
        return 2.0 + std::cos(2.0 * std::numbers::pi * static_cast<double>(line) / kPeriod);
    });
    const Measurement all{
        .name = "all", .kind = Kind::Rectangle, .places = {{-60.0, 30.0}, {60.0, 70.0}}};
    const double spacing = 62.0 * 0.2 * kDeg; // mm, at the middle of the ranges
    EXPECT_NEAR(figureOf(figuresOfRegion(image, all), "cell_lateral"), kPeriod / 3.0 * spacing,
                0.02 * kPeriod / 3.0 * spacing);
}

TEST(SectorFigures, WhatLiesBesideTheSectorDoesNotCount) {
    const FrameSpec spec = specOf(fan(0.0, -20.0, 20.0, 41), 10e-3, 1e-3, 21);
    const MeasuredImage image =
        linesOf(spec, [](const Place&, std::int64_t, std::int64_t) { return 3.0; });
    const Measurement around{
        .name = "around", .kind = Kind::Rectangle, .places = {{-90.0, -10.0}, {90.0, 90.0}}};
    const auto figures = figuresOfRegion(image, around);
    EXPECT_EQ(figureOf(figures, "pixels"), 41.0 * 21.0);
    EXPECT_EQ(figureOf(figures, "min"), 3.0);
    EXPECT_NEAR(figureOf(figures, "mean"), 3.0, 1e-9);
    const auto beside = measureAll(
        image, {{.name = "beside", .kind = Kind::Rectangle, .places = {{20.0, 1.0}, {30.0, 5.0}}}});
    EXPECT_THAT(beside[0].problem, testing::HasSubstr("holds no pixel"));
}

/// The same on a picture, whose pixels beside the sector are not numbers.
TEST(SectorFigures, GapsOfAPictureDoNotCount) {
    MeasuredImage picture{.lateral = {-5.0, 1.0, 11}, .depth = {0.0, 1.0, 11}};
    for (int row = 0; row < 11; ++row)
        for (int column = 0; column < 11; ++column)
            picture.values.push_back(std::abs(column - 5) > row ? kGap : 2.0F);
    const Measurement all{
        .name = "all", .kind = Kind::Rectangle, .places = {{-5.0, 0.0}, {5.0, 10.0}}};
    const auto figures = figuresOfRegion(picture, all);
    EXPECT_EQ(figureOf(figures, "pixels"), 91.0); // 1 + 3 + ... + 11, then 5 full rows
    EXPECT_EQ(figureOf(figures, "min"), 2.0);
    OverFrames over({all});
    for (int frame = 0; frame < 2; ++frame) over.add(picture, measureAll(picture, {all}));
    EXPECT_TRUE(std::isnan(over.result()[0].together[0].value)) << "steady: no noise";
    const auto line = measureAll(
        picture, {{.name = "line", .kind = Kind::Line, .places = {{-5.0, 1.0}, {5.0, 1.0}}}});
    EXPECT_THAT(line[0].problem, testing::HasSubstr("without data"));
}

/// A cut ends where there is no data: what lies beyond is no crossing.
TEST(SectorFigures, ACutEndsAtAGap) {
    const std::vector<double> levels{-40.0, kGap, -3.0, 0.0, -3.0, -9.0, -40.0};
    const Cut cut(levels, 3, {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0});
    EXPECT_TRUE(std::isnan(cut.width(6.0)));
    EXPECT_EQ(cut.db.size(), 5U);
    EXPECT_EQ(cut.peak, 1U);
}

/// Every kind of array: the place of a sample leads back to it.
TEST(SectorFigures, PlacesLeadBackToTheirSamples) {
    const Axis range{AxisName::Depth, 400, 0.1e-3, 5e-3, "m"};
    for (const Sector& sector :
         {fan(0.0, -40.0, 40.0, 81), fan(45e-3, -35.0, 35.0, 81), fan(-60e-3, -25.0, 25.0, 81),
          fan(2e-3, -170.0, 170.0, 341), fan(2e-3, -100.0, 240.0, 341), tilted(20.0, 64, 0.3e-3),
          tilted(0.0, 64, 0.3e-3)}) {
        const BeamGeometry geometry(sector, range);
        for (const double row : {0.0, 17.3, 201.0, 399.0})
            for (const double line : {0.0, 5.5, 40.25, static_cast<double>(sector.lines()) - 1.0}) {
                const Place place = geometry.at(row, line);
                const auto sample = geometry.find(place);
                ASSERT_TRUE(sample) << sector.radiusM << ' ' << row << ' ' << line;
                EXPECT_NEAR(sample->row, row, 1e-6);
                EXPECT_NEAR(sample->line, line, 1e-6);
            }
        EXPECT_FALSE(geometry.find({0.0, -300.0}));
    }
}

/// The area of all samples is that of the part of a ring.
TEST(SectorFigures, AreasOfSamplesMakeTheRing) {
    const FrameSpec spec = specOf(fan(10e-3, -30.0, 30.0, 121), 20e-3, 0.1e-3, 301);
    const MeasuredImage image =
        linesOf(spec, [](const Place& at, std::int64_t row, std::int64_t line) {
            const bool rim = row < 50 || row > 250 || line < 20 || line > 100;
            return rim ? 1e-6 : 1.0 + 1e-9 * at.depth;
        });
    const auto figures = figuresOfBlob(
        image, {.name = "blob", .kind = Kind::Blob, .places = {{0.0, 45.0}}, .search = 1.0});
    // Samples 50 to 250 and 20 to 100, each as wide as its distance to the next one.
    const double inner = 10.0 + 20.0 + 0.1 * 49.5;
    const double outer = 10.0 + 20.0 + 0.1 * 250.5;
    EXPECT_NEAR(figureOf(figures, "area"),
                0.5 * (outer * outer - inner * inner) * 81.0 * 0.5 * kDeg, 1e-3);
}

/// Two surfaces at the depths 40 and 46 mm, flat, under a phased array.
TEST(SectorFigures, ACalliperFindsFlatSurfacesUnderASector) {
    const FrameSpec spec = specOf(fan(0.0, -40.0, 40.0, 401), 20e-3, 0.05e-3, 1001);
    const MeasuredImage image = linesOf(spec, [](const Place& at, std::int64_t, std::int64_t) {
        return 1e-3 + std::exp(-0.5 * std::pow((at.depth - 40.0) / 0.3, 2)) +
               std::exp(-0.5 * std::pow((at.depth - 46.0) / 0.3, 2));
    });
    const auto figures = figuresOfCalliper(
        image, {.name = "layer", .kind = Kind::Calliper, .places = {{12.0, 0.0}}});
    EXPECT_NEAR(figureOf(figures, "upper"), 40.0, 0.01);
    EXPECT_NEAR(figureOf(figures, "thickness"), 6.0, 0.01);
}

TEST(SectorFigures, LinesAreMeasuredInPlaceOfTheirPicture) {
    MeasuredImage picture{.lateral = {-50.0, 1.0, 101},
                          .depth = {0.0, 1.0, 101},
                          .values = std::vector<float>(101 * 101, 1.0F)};
    picture.lines = std::make_shared<const MeasuredImage>(speckle(1.0));
    const auto measured = measureAll(picture, {kSectorTissue});
    EXPECT_NEAR(figureOf(measured[0].figures, "snr"), 1.913, 0.02);
    EXPECT_EQ(distributionIn(picture, kSectorTissue, Counted::Amplitudes).pixels,
              static_cast<std::size_t>(figureOf(measured[0].figures, "pixels")));
}

/// Moved images have shapes on the same echoes: along the beams.
TEST(SectorFigures, MovedSamplesMoveAlongTheirBeams) {
    const FrameSpec spec = specOf(fan(30e-3, -30.0, 30.0, 121), 10e-3, 0.05e-3, 801);
    const MeasuredImage image = linesOf(spec, [&](const Place&, std::int64_t row,
                                                  std::int64_t line) {
        return std::exp(-0.5 * (std::pow((row - 400) / 10.0, 2) + std::pow((line - 90) / 4.0, 2)));
    });
    const auto at = [&](double scale, double shift) {
        return figuresOfPoint(image.moved(scale, shift),
                              {.name = "point", .places = {{15.0, 58.0}}, .search = 20.0});
    };
    const double angle = 15.0 * kDeg;
    for (const auto& [scale, shift] :
         {std::pair(1.0, 0.0), std::pair(0.96, 0.0), std::pair(1.05, -0.7)}) {
        const double range = scale * 30.0 + shift;
        EXPECT_NEAR(figureOf(at(scale, shift), "lateral"), (30.0 + range) * std::sin(angle), 1e-3);
        EXPECT_NEAR(figureOf(at(scale, shift), "depth"), (30.0 + range) * std::cos(angle), 1e-3);
        EXPECT_NEAR(figureOf(at(scale, shift), "depth_width"), scale * widthOfGaussian(0.5, 6.0),
                    0.01);
    }
}

/// A row of Gaussian points of equal and of other heights.
MeasuredImage rowOfPoints(const std::vector<std::pair<double, double>>& placeAndHeight) {
    MeasuredImage image{.lateral = {0.0, 0.1, 401}, .depth = {0.0, 1.0, 3}};
    for (int row = 0; row < 3; ++row)
        for (int n = 0; n < 401; ++n) {
            double sum = 1e-4;
            for (const auto& [place, height] : placeAndHeight)
                sum += height * std::exp(-0.5 * std::pow((0.1 * n - place) / 0.4, 2));
            image.values.push_back(static_cast<float>((row == 1 ? 1.0 : 0.5) * sum));
        }
    return image;
}

TEST(SideLobes, ANeighbouringTargetIsNone) {
    const Measurement point{.name = "point", .places = {{20.0, 1.0}}, .search = 1.5};
    const auto level = [&](const MeasuredImage& image) {
        return figureOf(figuresOfPoint(image, point), "side_lobe");
    };
    EXPECT_NEAR(level(rowOfPoints({{20.0, 1.0}, {16.0, 0.1}})), -20.0, 0.01);
    EXPECT_NEAR(level(rowOfPoints({{20.0, 1.0}, {16.0, 0.1}, {30.0, 1.5}, {10.0, 1.0}})), -20.0,
                0.01)
        << "targets of 3.5 and 0 dB beyond";
    const MeasuredImage pair = rowOfPoints({{20.0, 1.0}, {22.0, 1.2}, {18.0, 1.0}});
    EXPECT_TRUE(std::isnan(level(pair))) << "there is no lobe before the next target";
}

TEST(EdgeDoubt, APeakAtTheEdgeOfItsSearchIsSaid) {
    const MeasuredImage image = rowOfPoints({{20.0, 1.0}});
    const auto note = [&](double place, double search) {
        return measureAll(image, {{.name = "p", .places = {{place, 1.0}}, .search = search}})[0]
            .note;
    };
    EXPECT_EQ(note(19.5, 0.9), "");
    EXPECT_THAT(note(19.0, 0.9), testing::HasSubstr("'p' lies at the edge"));
    const auto region = [&](double from) {
        return measureAll(image, {{.name = "r",
                                   .kind = Kind::Rectangle,
                                   .places = {{from, -0.5}, {39.0, 2.5}}}})[0]
            .note;
    };
    EXPECT_EQ(region(15.0), "");
    EXPECT_THAT(region(20.15), testing::HasSubstr("'r' lies at its edge"));
}

TEST(MeasureFigures, RoundingOfZeroIsZero) {
    MeasuredImage image{.lateral = {0.0, 1.0, 3}, .depth = {0.0, 1.0, 3}, .isDb = true};
    image.values = {-9.0F, -9.0F, -9.0F, -9.0F, 4.768e-07F, -9.0F, -9.0F, -9.0F, -9.0F};
    const auto figures =
        measureAll(
            image,
            {{.name = "all", .kind = Kind::Rectangle, .places = {{0.0, 0.0}, {2.0, 2.0}}}})[0]
            .figures;
    EXPECT_EQ(figureOf(figures, "max"), 0.0);
    EXPECT_NEAR(figureOf(figures, "min"), -9.0, 1e-6);
}

} // namespace
} // namespace echolux::measure
