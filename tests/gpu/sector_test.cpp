// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of images in beam space: their order, their places, what they fill.
#include "gpu/core/sector.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace echolux {
namespace {

/// Two lines that lean by `a` and `b`, 10 mm apart.
Sector twoLines(double a, double b) {
    return {.anglesRad = {a, b}, .starts = {{0.0, 0.0, 0.0}, {10e-3, 0.0, 0.0}}};
}

TEST(Sector, LinesThatCrossKeepNoOrder) {
    EXPECT_TRUE(linesKeepOrder(twoLines(0.3, 0.3), 1e-3, 50e-3));
    EXPECT_TRUE(linesKeepOrder(twoLines(-0.2, 0.4), 1e-3, 50e-3));
    // They meet where 10 mm = 2 z tan(0.2): at z = 24.7 mm.
    EXPECT_TRUE(linesKeepOrder(twoLines(0.2, -0.2), 1e-3, 24e-3));
    EXPECT_FALSE(linesKeepOrder(twoLines(0.2, -0.2), 1e-3, 27e-3));
    EXPECT_FALSE(linesKeepOrder(
        {.anglesRad = {0.0, 0.0}, .starts = {{1e-3, 0.0, 0.0}, {0.0, 0.0, 0.0}}}, 1e-3, 50e-3));
    EXPECT_FALSE(linesKeepOrder(
        {.anglesRad = {0.1, 0.1}, .starts = {{1e-3, 0.0, 0.0}, {1e-3, 0.0, 0.0}}}, 1e-3, 50e-3))
        << "one line twice";
}

TEST(Sector, LateralIsAnAngleWhereAnglesRiseEvenly) {
    const Axis even = lateralAxisOf({.anglesRad = {-0.2, 0.0, 0.2}});
    EXPECT_EQ(even.unit, "rad");
    EXPECT_DOUBLE_EQ(even.spacing, 0.2);
    const Axis uneven = lateralAxisOf({.anglesRad = {-0.2, 0.02, 0.2}});
    EXPECT_EQ(uneven.unit, "");
    EXPECT_EQ(uneven.size, 3);
    EXPECT_EQ(lateralAxisOf(twoLines(0.1, 0.2)).unit, "");
}

TEST(Sector, PlacesAreThoseOfEachLine) {
    FrameSpec frame;
    frame.axes = {{AxisName::Depth, 3, 2e-3, 5e-3, "m"}, {}};
    const auto placesWith = [&](const Sector& sector) {
        frame.sector = std::make_shared<Sector>(sector);
        frame.axes[1] = lateralAxisOf(sector);
        return placesOf(frame, frame.axes[1]);
    };
    const AxisPlaces fan = placesWith({.anglesRad = {-0.2, 0.02, 0.2}});
    EXPECT_EQ(fan.values, (std::vector{-0.2, 0.02, 0.2}));
    EXPECT_EQ(fan.unit, "rad");
    const AxisPlaces own = placesWith(twoLines(0.1, 0.1));
    EXPECT_EQ(own.values, (std::vector{0.0, 10e-3}));
    EXPECT_EQ(own.unit, "m");
    const AxisPlaces depth = placesOf(frame, frame.axes[0]);
    ASSERT_EQ(depth.values.size(), 3U);
    EXPECT_DOUBLE_EQ(depth.values[2], 9e-3);
    EXPECT_EQ(depth.unit, "m");
}

TEST(Sector, BoundsHoldWhatLiesBetweenTheLines) {
    const SectorBounds bounds = boundsOf(twoLines(0.0, 0.5), 5e-3, 20e-3);
    EXPECT_TRUE(bounds.contains(1e-3, 10e-3));
    EXPECT_TRUE(bounds.contains(14e-3, 10e-3)) << "the right line is at 15.5 mm there";
    EXPECT_FALSE(bounds.contains(16e-3, 10e-3));
    EXPECT_FALSE(bounds.contains(-1e-3, 10e-3));
    EXPECT_FALSE(bounds.contains(1e-3, 4e-3));
    EXPECT_FALSE(bounds.contains(1e-3, 21e-3));
}

} // namespace
} // namespace echolux
