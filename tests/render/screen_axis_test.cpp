// SPDX-License-Identifier: GPL-3.0-or-later
// Units, words, ticks and orientation of axes on screen.
#include "render/view/screen_axis.hpp"

#include "gpu/core/sector.hpp"

#include <gmock/gmock.h>

#include <memory>

namespace echolux {
namespace {

/// [lateral][depth] as OCT delivers: 512 lines over 6 mm, 1000 bins of 2.5 um from `firstM`.
FrameSpec octSpec(double firstM) {
    FrameSpec spec;
    spec.axes = {{AxisName::Lateral, 512, 6e-3 / 512, -3e-3, "m"},
                 {AxisName::Depth, 1000, 2.5e-6, firstM, "m"}};
    return spec;
}

TEST(ScreenAxis, UnitFollowsTheExtent) {
    const ScreenAxis depth = screenAxis({AxisName::Depth, 1000, 2.5e-6, 0.0, "m"});
    EXPECT_EQ(depth.title(), "depth (\u00b5m)");
    EXPECT_NEAR(depth.last - depth.first, 2.5, 1e-12) << "view units are mm either way";
    EXPECT_DOUBLE_EQ(depth.labelPerView, 1000.0);
    EXPECT_EQ(depth.format(1.25), "1250.0");
    const ScreenAxis lateral = screenAxis({AxisName::Lateral, 512, 6e-3 / 512, 0.0, "m"});
    EXPECT_EQ(lateral.title(), "lateral (mm)");
    EXPECT_EQ(lateral.format(1.25), "1.25");
    EXPECT_EQ(screenAxis({AxisName::Sample, 100, 1e-7, 0.0, "s"}).title(), "time (\u00b5s)");
}

TEST(ScreenAxis, EchoesAreMeasuredInMillimetresHoweverShortTheAxisIs) {
    FrameSpec spec = octSpec(0.0);
    EXPECT_EQ(pictureOf(spec).down.unit, "\u00b5m");
    spec.centreFrequencyHz = 5e6;
    EXPECT_EQ(pictureOf(spec).down.unit, "mm");
}

/// 11 lines from -25 to 25 degrees, ranges from 5 mm on.
TEST(ScreenAxis, BeamSpaceHasAnglesInDegreesAndRanges) {
    constexpr double kDegree = 0.017453292519943295;
    FrameSpec spec;
    spec.axes = {{AxisName::Depth, 100, 1e-4, 5e-3, "m"},
                 {AxisName::Lateral, 11, 5.0 * kDegree, -25.0 * kDegree, "rad"}};
    const Picture picture = pictureOf(spec);
    EXPECT_EQ(picture.across.title(), "angle (deg)");
    EXPECT_EQ(picture.down.title(), "range (mm)");
    EXPECT_NEAR(picture.across.first, -27.5, 1e-9);
    EXPECT_NEAR(picture.across.last, 27.5, 1e-9);
    EXPECT_EQ(picture.aspect(), Aspect::Fill);
    EXPECT_EQ(picture.placeText({-12.5, 7.25}), "\u221212.50 deg, 7.25 mm");
    EXPECT_THAT(picture.whyNoLengths(), testing::HasSubstr("Scan conversion"));
    spec.axes[1].unit = "m";
    EXPECT_EQ(pictureOf(spec).down.title(), "depth (mm)");
    EXPECT_EQ(pictureOf(spec).whyNoLengths(), "");
}

/// A sonogram: 128 velocities from 0.63 to -0.64 m/s, 256 spectra up to now.
TEST(ScreenAxis, VelocitiesGrowUpwardsAndTimesEndNow) {
    FrameSpec spec;
    spec.axes = {{AxisName::Velocity, 128, -0.01, 0.63, "m/s"},
                 {AxisName::SlowTime, 256, 4e-3, -255 * 4e-3, "s"}};
    spec.centreFrequencyHz = 5e6;
    const Picture picture = pictureOf(spec);
    EXPECT_FALSE(picture.transposed);
    EXPECT_FALSE(picture.beamSpace);
    EXPECT_EQ(picture.aspect(), Aspect::Fill);
    EXPECT_EQ(picture.down.title(), "velocity (cm/s)");
    EXPECT_NEAR(picture.down.first, -63.5, 1e-9) << "places grow downwards";
    EXPECT_NEAR(picture.down.last, 64.5, 1e-9);
    EXPECT_EQ(picture.down.format(picture.down.first), "63.50");
    const Ticks ticks = picture.down.ticks(picture.down.first, picture.down.last, 15.0);
    EXPECT_EQ(ticks.major, (std::vector<double>{-60, -40, -20, 0, 20, 40, 60}));
    EXPECT_NEAR(picture.down.placeOf(60.0), -60.0, 1e-12);
    EXPECT_EQ(picture.across.title(), "time (ms)");
    EXPECT_NEAR(picture.across.last, 2.0, 1e-9);
    EXPECT_EQ(picture.placeText({-500.0, -20.0}), "\u2212500.00 ms, 20.00 cm/s");
    spec.axes[1].size = 1024;
    EXPECT_EQ(pictureOf(spec).across.title(), "time (s)");
}

TEST(ScreenAxis, WithoutAFrameRateATimeCountsFramesAndVelocitiesAreRadians) {
    FrameSpec spec;
    spec.axes = {{AxisName::Velocity, 128, -0.05, 3.1, "rad"},
                 {AxisName::SlowTime, 256, 16.0, -255 * 16.0, ""}};
    const Picture picture = pictureOf(spec);
    EXPECT_FALSE(picture.beamSpace);
    EXPECT_EQ(picture.down.title(), "velocity (rad)");
    EXPECT_EQ(picture.across.title(), "frame");
    EXPECT_EQ(picture.across.format(-16.0), "\u221216");
}

/// Lines with starts of their own have no axis of places: they are counted.
TEST(ScreenAxis, SteeredLinesAreCounted) {
    FrameSpec spec;
    spec.centreFrequencyHz = 5e6;
    auto sector = std::make_shared<Sector>();
    for (int i = 0; i < 11; ++i) {
        sector->starts.push_back({0.3e-3 * i, 0.0, 0.0});
        sector->anglesRad.push_back(0.2);
    }
    spec.axes = {{AxisName::Depth, 100, 1e-4, 5e-3, "m"}, lateralAxisOf(*sector)};
    spec.sector = sector;
    const Picture picture = pictureOf(spec);
    EXPECT_EQ(picture.across.title(), "line");
    EXPECT_EQ(picture.down.title(), "range (mm)");
    EXPECT_EQ(picture.aspect(), Aspect::Fill);
    EXPECT_EQ(picture.placeText({2.0, 7.25}), "line 3, 7.25 mm");
    EXPECT_THAT(picture.whyNoLengths(), testing::HasSubstr("are lines"));
}

TEST(ScreenAxis, PlainIndicesHaveWordsAndWholeTicks) {
    EXPECT_EQ(screenAxis({AxisName::Lateral, 9, 1.0, 0.0, ""}).title(), "A-scan");
    EXPECT_EQ(screenAxis({AxisName::Elevation, 9, 1.0, 0.0, ""}).title(), "B-scan");
    const ScreenAxis bins = screenAxis({AxisName::Depth, 4, 1.0, 0.0, ""});
    EXPECT_EQ(bins.title(), "bin");
    EXPECT_DOUBLE_EQ(bins.first, -0.5);
    EXPECT_DOUBLE_EQ(bins.last, 3.5);
    const Ticks ticks = bins.ticks(bins.first, bins.last, 0.01);
    EXPECT_THAT(ticks.major, testing::ElementsAre(0.0, 1.0, 2.0, 3.0));
    EXPECT_TRUE(ticks.minor.empty());
    EXPECT_EQ(ticks.label(2.0), "2");
}

TEST(ScreenAxis, PlainIndicesOfEchoesAreNoBins) {
    FrameSpec spec;
    spec.recordedForm = RecordedForm::Picture;
    spec.axes = {{AxisName::Depth, 100, 1.0, 0.0, ""}, {AxisName::Lateral, 11, 1.0, 0.0, ""}};
    EXPECT_EQ(pictureOf(spec).down.title(), "sample");
    EXPECT_EQ(pictureOf(spec).placeText({2.0, 7.0}), "line 3, sample 7");
    EXPECT_EQ(screenAxis({AxisName::Elevation, 9, 1.0, 0.0, ""}, spec).title(), "plane");
    spec.recordedForm = RecordedForm::Signals;
    spec.centreFrequencyHz = 5e6;
    EXPECT_EQ(pictureOf(spec).down.title(), "sample");
    spec.spectrometer = std::make_shared<const Spectrometer>();
    EXPECT_EQ(pictureOf(spec).down.title(), "bin");
}

TEST(ScreenAxis, LinesAndBscansCountFromOneAndBinsFromZeroDelay) {
    const ScreenAxis bscans = screenAxis({AxisName::Elevation, 48, 1.0, 0.0, ""});
    EXPECT_EQ(bscans.format(37.0), "38");
    EXPECT_DOUBLE_EQ(bscans.placeOf(38.0), 37.0);
    EXPECT_DOUBLE_EQ(bscans.labelAt(37.0), 38.0);
    const Ticks ticks = bscans.ticks(bscans.first, bscans.last, 9.0);
    EXPECT_THAT(ticks.major, testing::ElementsAre(10.0, 20.0, 30.0, 40.0));
    Picture picture;
    picture.across = screenAxis({AxisName::Lateral, 9, 1.0, 0.0, ""});
    picture.down = bscans;
    EXPECT_EQ(picture.placeText({0.0, 37.0}), "A-scan 1, B-scan 38");
    EXPECT_EQ(screenAxis({AxisName::Depth, 4, 1.0, 0.0, ""}).format(3.0), "3");
}

TEST(ScreenAxis, TicksAreRoundInTheLabelsUnit) {
    const ScreenAxis depth = screenAxis({AxisName::Depth, 1000, 2.5e-6, 0.0, "m"});
    EXPECT_THAT(depth.ticks(0.0, 2.5, 0.4).major,
                testing::ElementsAre(0.0, 500.0, 1000.0, 1500.0, 2000.0, 2500.0));
}

TEST(Picture, DepthPointsDownInEitherOrder) {
    FrameSpec spec = octSpec(0.0);
    const Picture oct = pictureOf(spec);
    EXPECT_TRUE(oct.transposed);
    EXPECT_EQ(oct.down.name, "depth");
    EXPECT_EQ(oct.across.name, "lateral");
    EXPECT_EQ(oct.aspect(), Aspect::True);
    std::swap(spec.axes[0], spec.axes[1]);
    const Picture ultrasound = pictureOf(spec);
    EXPECT_FALSE(ultrasound.transposed);
    EXPECT_EQ(ultrasound.extent(), oct.extent());
    spec.axes = {{AxisName::Elevation, 4, 1.0, 0.0, ""}, {AxisName::Lateral, 9, 1e-3, 0.0, "m"}};
    const Picture enFace = pictureOf(spec);
    EXPECT_FALSE(enFace.transposed);
    EXPECT_EQ(enFace.aspect(), Aspect::Fill);
}

TEST(Picture, ZeroDelayIsMarkedWhereAnOctImageHoldsIt) {
    EXPECT_EQ(pictureOf(octSpec(-1.25e-3)).zeroDelay, 0.0);
    EXPECT_EQ(pictureOf(octSpec(0.0)).zeroDelay, 0.0) << "the first bin of the half range";
    EXPECT_FALSE(pictureOf(octSpec(1e-4)).zeroDelay);
    EXPECT_FALSE(pictureOf(octSpec(-2.6e-3)).zeroDelay);
    FrameSpec ultrasound = octSpec(0.0);
    std::swap(ultrasound.axes[0], ultrasound.axes[1]);
    EXPECT_FALSE(pictureOf(ultrasound).zeroDelay) << "its depths are counted from the array";
}

TEST(Picture, PlacesInWords) {
    FrameSpec spec = octSpec(0.0);
    EXPECT_EQ(pictureOf(spec).placeText({-1.5, 0.4314}), "\u22121.50 mm, 431.4 \u00b5m");
    spec.axes[0] = {AxisName::Lateral, 512, 1.0, 0.0, ""};
    EXPECT_EQ(pictureOf(spec).placeText({12.3, 0.4314}), "A-scan 13, 431.4 \u00b5m");
    spec.axes = {{AxisName::Depth, 400, 1e-4, 0.0, "m"}, {AxisName::Lateral, 400, 1e-4, 0.0, "m"}};
    EXPECT_EQ(pictureOf(spec).placeText({3.2, 14.7}), "3.20, 14.70 mm");
}

} // namespace
} // namespace echolux
