// SPDX-License-Identifier: GPL-3.0-or-later
// Sides of a patient at the edges of images, for either order of memory, slices and oblique poses.
#include "render/view/side_letters.hpp"

#include "gpu/core/posed.hpp"
#include "gpu/core/sector.hpp"
#include "render/view/orbit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

namespace echolux {
namespace {

/// Lateral towards the right, elevation towards the front, depth towards the feet.
FrameSpec sidedVolume() {
    FrameSpec spec;
    for (const AxisName name : {AxisName::Elevation, AxisName::Depth, AxisName::Lateral})
        spec.axes.push_back({name, 8, 1e-3, 0.0, "m"});
    spec.pose =
        std::make_shared<const Pose>(Pose{{{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, {}, "LPS"});
    return spec;
}

TEST(SideLetters, OfSlices) {
    const FrameSpec volume = sidedVolume();
    EXPECT_EQ(sideLettersOf(planeOf(volume, AxisName::Elevation, 2)),
              (SideLetters{"L", "R", "S", "I"}));
    EXPECT_EQ(sideLettersOf(planeOf(volume, AxisName::Depth, 2)),
              (SideLetters{"L", "R", "P", "A"}));
    EXPECT_EQ(sideLettersOf(planeOf(volume, AxisName::Lateral, 2)),
              (SideLetters{"P", "A", "S", "I"}));
    EXPECT_TRUE(sideLettersOf(volume).empty()) << "a volume has no four edges";
}

TEST(SideLetters, OfLinesFirst) {
    FrameSpec image = planeOf(sidedVolume(), AxisName::Elevation, 2);
    std::swap(image.axes[0], image.axes[1]);
    EXPECT_EQ(sideLettersOf(image), (SideLetters{"L", "R", "S", "I"}));
}

TEST(SideLetters, OfObliqueImages) {
    FrameSpec image = planeOf(sidedVolume(), AxisName::Elevation, 2);
    const double c = std::cos(std::numbers::pi / 6);
    const double s = std::sin(std::numbers::pi / 6);
    image.pose =
        std::make_shared<const Pose>(Pose{{{{c, s, 0}, {0, 0, 1}, {-s, c, 0}}}, {}, "LPS"});
    EXPECT_EQ(sideLettersOf(image), (SideLetters{"RA", "LP", "AL", "PR"}));
}

TEST(SideLetters, OnlyInPatients) {
    FrameSpec image = planeOf(sidedVolume(), AxisName::Elevation, 2);
    Pose room = *image.pose;
    room.space = "room";
    image.pose = std::make_shared<const Pose>(room);
    EXPECT_TRUE(sideLettersOf(image).empty());
    image = planeOf(sidedVolume(), AxisName::Elevation, 2);
    image.sector = std::make_shared<Sector>();
    EXPECT_TRUE(sideLettersOf(image).empty()) << "lines have directions of their own";
    image = planeOf(sidedVolume(), AxisName::Elevation, 2);
    image.axes[0] = {AxisName::Velocity, 4, 0.1, 0.0, "m/s"};
    EXPECT_EQ(sideLettersOf(image).top, "");
}

TEST(SideLetters, ChangeWithThePose) {
    FrameSpec shown = planeOf(sidedVolume(), AxisName::Elevation, 2);
    FrameSpec next = planeOf(sidedVolume(), AxisName::Elevation, 3);
    EXPECT_NE(shown.pose, next.pose);
    EXPECT_FALSE(takeSides(shown, next)) << "another place, the same sides";
    EXPECT_EQ(shown.pose, next.pose);
    next.pose = std::make_shared<const Pose>();
    EXPECT_TRUE(takeSides(shown, next));
    EXPECT_EQ(sideLettersOf(shown), (SideLetters{"R", "L", "I", "S"}));
    next.pose = nullptr;
    EXPECT_TRUE(takeSides(shown, next));
}

TEST(SideLetters, AlongTheEdgesOfABox) {
    FrameSpec volume = sidedVolume();
    std::swap(volume.axes[1], volume.axes[2]); // as volumes are drawn
    const VolumeBox box = VolumeBox::of(volume);
    EXPECT_EQ(box.lateral.title(), "lateral, L to R (mm)");
    EXPECT_EQ(box.depth.title(), "depth, S to I (mm)");
    EXPECT_EQ(box.elevation.title(), "elevation, P to A (mm)");
    volume.pose = nullptr;
    EXPECT_EQ(VolumeBox::of(volume).lateral.title(), "lateral (mm)");
}

} // namespace
} // namespace echolux
