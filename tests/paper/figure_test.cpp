// SPDX-License-Identifier: GPL-3.0-or-later
// Figures and reports: sizes, content, formats, refusals.
#include "app/paper/figure_file.hpp"
#include "app/paper/report.hpp"
#include "app/session/checked_image.hpp"
#include "gpu/core/error.hpp"
#include "tests/support/refusal.hpp"

#include <QBuffer>
#include <QGuiApplication>
#include <QPdfWriter>
#include <QSvgRenderer>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace echolux {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::refusal;

/// Qt reads fonts only where an application exists.
class Figures : public testing::Test {
protected:
    static void SetUpTestSuite() {
        static int argc = 3;
        static char name[] = "tests";
        static char option[] = "-platform";
        static char platform[] = "offscreen";
        static char* argv[] = {name, option, platform, nullptr};
        if (qGuiApp == nullptr) new QGuiApplication(argc, argv); // lives as long as the program
    }
};

/// Levels from -60 dB at the left to 0 dB at the right, 20 mm wide and 40 mm high.
FigurePanel ramp() {
    FigurePanel panel;
    panel.image.spec.dtype = DType::F32;
    panel.image.spec.axes = {{AxisName::Depth, 80, 0.5e-3, 0.25e-3, "m"},
                             {AxisName::Lateral, 40, 0.5e-3, -9.75e-3, "m"}};
    panel.range = {-60.0, 0.0, "dB", ""};
    panel.image.spec.valueRange = panel.range;
    std::vector<float> values;
    for (int row = 0; row < 80; ++row)
        for (int column = 0; column < 40; ++column)
            values.push_back(-60.0F + 60.0F * static_cast<float>(column) / 39.0F);
    panel.image.bytes.resize(4 * values.size());
    std::memcpy(panel.image.bytes.data(), values.data(), panel.image.bytes.size());
    return panel;
}

/// Columns or rows of the picture that hold something other than the paper.
bool isPaper(const QImage& picture, const QRect& part, QRgb paper) {
    for (int y = part.top(); y <= part.bottom(); ++y)
        for (int x = part.left(); x <= part.right(); ++x)
            if (picture.pixel(x, y) != paper) return false;
    return true;
}

TEST_F(Figures, HaveTheStatedWidthAndResolution) {
    FigureStyle style;
    style.widthMm = 50.8;
    style.dpi = 150.0;
    const QImage picture = figurePicture({ramp()}, style);
    EXPECT_EQ(picture.width(), 300);
    EXPECT_NEAR(picture.dotsPerMeterX(), 150.0 / 0.0254, 1.0);
    EXPECT_GT(picture.height(), picture.width()) << "the image is twice as high as wide";
}

TEST_F(Figures, TheImageIsToScaleAndItsLevelsAreThoseOfTheMap) {
    FigureStyle style;
    style.dpi = 254.0; // 10 pixels per mm
    style.mostHeightMm = 40.0;
    style.colourBar = false;
    const QImage picture = figurePicture({ramp()}, style);
    // The frame of the image is the only long black line.
    const auto isFrame = [&](int x) {
        int dark = 0;
        for (int y = 0; y < picture.height(); ++y) dark += qGray(picture.pixel(x, y)) < 100 ? 1 : 0;
        return dark > 350;
    };
    int left = 0;
    while (left < picture.width() && !isFrame(left)) ++left;
    ASSERT_LT(left, picture.width());
    constexpr int kWide = 200; // 20 mm
    const int middle = 100;
    int former = -1;
    for (const int at : {30, 80, 120, 170}) {
        const int grey = qGray(picture.pixel(left + at, middle));
        EXPECT_NEAR(grey, 255.0 * at / kWide, 6.0) << at;
        EXPECT_GT(grey, former);
        former = grey;
    }
    EXPECT_TRUE(isPaper(picture, QRect(left + kWide + 8, middle, 20, 1), qRgb(255, 255, 255)));
}

TEST_F(Figures, PanelsStandSideBySideOrBelowEachOther) {
    const std::vector<FigurePanel> panels(3, ramp());
    FigureStyle style;
    style.widthMm = 170.0;
    const double one = sizeOfFigure(panels, style).height();
    style.columns = 1;
    EXPECT_GT(sizeOfFigure(panels, style).height(), 2.0 * one);
    style.columns = 2;
    EXPECT_GT(sizeOfFigure(panels, style).height(), one);
}

TEST_F(Figures, TextAndAxesOfSvgAreVectors) {
    FigurePanel panel = ramp();
    panel.title = "Ramp";
    panel.shapes = {
        {.name = "box", .kind = measure::Kind::Rectangle, .places = {{-5, 10}, {5, 20}}}};
    FigureStyle style;
    style.letters = true;
    const QByteArray svg = figureFile("svg", {panel}, style);
    EXPECT_TRUE(QSvgRenderer(svg).isValid());
    const std::string text = svg.toStdString();
    for (const char* word : {"(a) Ramp", ">box<", "lateral (mm)", "depth (mm)", ">dB<"})
        EXPECT_THAT(text, HasSubstr(word));
    EXPECT_THAT(text, testing::ContainsRegex("width=\"8[45]"));
    style.names = false;
    EXPECT_THAT(figureFile("svg", {panel}, style).toStdString(), Not(HasSubstr(">box<")));
}

/// 10 pixels per mm and a bar of 5 mm in an image 20 mm wide: the longest row of white.
TEST_F(Figures, AScaleBarHasItsLength) {
    FigureStyle style;
    style.dpi = 254.0;
    style.mostHeightMm = 40.0;
    style.colourBar = false;
    style.dark = true;
    const auto longestWhite = [&] {
        const QImage picture = figurePicture({ramp()}, style);
        int most = 0;
        for (int y = picture.height() / 2; y < picture.height(); ++y) {
            int run = 0;
            for (int x = 0; x < picture.width(); ++x) {
                run = picture.pixel(x, y) == qRgb(255, 255, 255) ? run + 1 : 0;
                most = std::max(most, run);
            }
        }
        return most;
    };
    EXPECT_LT(longestWhite(), 10);
    style.look.scaleBar = true;
    EXPECT_NEAR(longestWhite(), 50, 2) << "the image shows 20 mm of 20 mm";
}

TEST_F(Figures, FilesAreOfTheirKind) {
    FigureStyle style;
    style.dpi = 100.0;
    EXPECT_TRUE(figureFile("pdf", {ramp()}, style).startsWith("%PDF-"));
    const QImage png = QImage::fromData(figureFile("png", {ramp()}, style), "PNG");
    EXPECT_EQ(png.convertToFormat(QImage::Format_RGB32), figurePicture({ramp()}, style));
    const QByteArray tiff = figureFile("tif", {ramp()}, style);
    EXPECT_TRUE(tiff.startsWith("II*") || tiff.startsWith("MM"));
    EXPECT_THAT(refusal([&] { figureFile("bmp", {ramp()}, style); }), HasSubstr("'.bmp'"));
}

TEST_F(Figures, ImpossibleSizesAreRefused) {
    FigureStyle style;
    style.widthMm = 15.0;
    EXPECT_THAT(refusal([&] { sizeOfFigure({ramp()}, style); }), HasSubstr("too narrow"));
    EXPECT_THAT(refusal([&] { sizeOfFigure({}, {}); }), HasSubstr("needs an image"));
    style = {};
    style.dpi = 20000.0;
    EXPECT_THAT(refusal([&] { figurePicture({ramp()}, style); }), HasSubstr("lower resolution"));
}

Report twoSides() {
    Report report;
    report.title = "A <b> & c";
    report.program = "Echolux";
    FrameSpec raw;
    raw.dtype = DType::F32;
    raw.axes = ramp().image.spec.axes;
    for (const double width : {0.5, 0.75}) {
        ReportSide side;
        side.heading = width < 0.6 ? "first" : "second";
        side.facts = {{"Frames", "3"}, {"Probe", side.heading}};
        side.hash = "abc";
        side.snapshot = std::make_shared<Snapshot>();
        side.panel = ramp();
        side.measured = {
            {"wire", measure::Kind::Point, {{"lateral_width", "Width", width, "mm"}}, {}},
            {"lost", measure::Kind::Point, {}, "It lies outside."}};
        report.sides.push_back(side);
    }
    return report;
}

TEST_F(Figures, AReportComparesTwoSides) {
    const Report report = twoSides();
    const std::string html = reportHtml(report);
    EXPECT_THAT(html, HasSubstr("<title>A &lt;b&gt; &amp; c</title>"));
    EXPECT_THAT(html, HasSubstr("<td>wire: Width (mm)</td><td>0.5</td><td>0.75</td><td>0.25</td>"));
    EXPECT_THAT(html, HasSubstr("lost: It lies outside."));
    EXPECT_THAT(html, HasSubstr("<td>Frames</td><td colspan=\"2\">3</td>"));
    EXPECT_THAT(html, HasSubstr("<td><b>first</b></td><td><b>second</b></td>")) << "they differ";
    EXPECT_THAT(html, HasSubstr("<svg"));
    EXPECT_THAT(html, Not(HasSubstr("src=\"http")));
    EXPECT_EQ(reportCsv(report), "measurement,figure,unit,\"first\",\"second\"\n"
                                 "\"wire\",lateral_width,mm,0.5,0.75\n");
    EXPECT_TRUE(reportPdf(report).startsWith("%PDF-"));
}

} // namespace
} // namespace echolux
