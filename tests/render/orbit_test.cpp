// SPDX-License-Identifier: GPL-3.0-or-later
// Turning a volume: proportions, rays against places, hidden edges, axes on the silhouette.
#include "render/view/orbit.hpp"
#include "tests/support/oct_frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

const Rect kViewport{20.0, 10.0, 620.0, 510.0};

VolumeBox boxOfSample() {
    const testing_support::LayeredOct sample;
    return VolumeBox::of(sample.bufferSpec(sample.bscans));
}

TEST(VolumeBox, HasTrueProportions) {
    const VolumeBox box = boxOfSample();
    EXPECT_NEAR(box.size.x, 128 * 0.020, 1e-9);
    EXPECT_NEAR(box.size.y, 160 * 0.008, 1e-9);
    EXPECT_NEAR(box.size.z, 64 * 0.020, 1e-9);
    FrameSpec spec = testing_support::LayeredOct{}.bufferSpec(9);
    spec.axes[0] = {AxisName::Elevation, 9, 1.0, 0.0, ""};
    EXPECT_NEAR(VolumeBox::of(spec).size.z, 0.5 * (2.56 + 1.28), 1e-9) << "unknown: the mean";
}

TEST(Orbit, LooksAlongEachAxis) {
    Orbit orbit;
    orbit.lookAtBscan();
    EXPECT_NEAR(orbit.turned({1.0, 0.0, 0.0}).x, 1.0, 1e-12);
    EXPECT_NEAR(orbit.turned({0.0, 1.0, 0.0}).y, 1.0, 1e-12);
    orbit.lookEnFace();
    EXPECT_NEAR(orbit.turned({0.0, 1.0, 0.0}).z, 1.0, 1e-12) << "depth leads away";
    EXPECT_NEAR(orbit.turned({0.0, 0.0, -1.0}).y, 1.0, 1e-12) << "elevation points down";
    orbit.lookFromTheSide();
    EXPECT_NEAR(orbit.turned({0.0, 1.0, 0.0}).y, 1.0, 1e-12);
    EXPECT_NEAR(orbit.turned({1.0, 0.0, 0.0}).z, 1.0, 1e-12) << "lateral leads away";
}

TEST(Orbit, WhatFacesTheEyeGoesWithTheHand) {
    Orbit orbit;
    orbit.lookAtBscan();
    const Vec3 front{0.0, 0.0, -1.0};
    orbit.turnBy({10.0, 0.0}, kViewport);
    EXPECT_NEAR(orbit.turned(front).x, std::sin(10.0 / 250.0), 1e-12);
    orbit.lookAtBscan();
    orbit.turnBy({0.0, 10.0}, kViewport);
    EXPECT_NEAR(orbit.turned(front).y, std::sin(10.0 / 250.0), 1e-12);
    for (int i = 0; i < 1000; ++i) orbit.turnBy({13.0, 7.0 - i % 11}, kViewport);
    const Vec3 v = orbit.turned({0.3, -0.4, 0.5});
    EXPECT_NEAR(std::hypot(v.x, v.y, v.z), std::sqrt(0.5), 1e-9) << "lengths stay";
    const Vec3 back = orbit.turnedBack(v);
    EXPECT_NEAR(back.y, -0.4, 1e-9);
}

TEST(VolumeProjection, RaysRunThroughWhatIsSeen) {
    Orbit orbit;
    for (int turn = 0; turn < 20; ++turn) {
        orbit.turnBy({37.0, 11.0 * turn - 50.0}, kViewport);
        orbit.zoomBy(1.05);
        const VolumeProjection projection(boxOfSample(), orbit, kViewport);
        const VolumeProjection::Rays rays = projection.rays();
        const Vec3 place{0.1, 0.9, 0.35};
        const Vec3 pixel = projection.toPixel(place);
        // Of the ray, the point nearest to the place is the place itself.
        const auto along = [&](double t) {
            return Vec3{
                rays.start.x + pixel.x * rays.perX.x + pixel.y * rays.perY.x + t * rays.direction.x,
                rays.start.y + pixel.x * rays.perX.y + pixel.y * rays.perY.y + t * rays.direction.y,
                rays.start.z + pixel.x * rays.perX.z + pixel.y * rays.perY.z +
                    t * rays.direction.z};
        };
        const Vec3 origin = along(0.0);
        const Vec3& d = rays.direction;
        const double t =
            ((place.x - origin.x) * d.x + (place.y - origin.y) * d.y + (place.z - origin.z) * d.z) /
            (d.x * d.x + d.y * d.y + d.z * d.z);
        EXPECT_NEAR(along(t).x, place.x, 1e-9);
        EXPECT_NEAR(along(t).y, place.y, 1e-9);
        EXPECT_NEAR(along(t).z, place.z, 1e-9);
    }
}

TEST(VolumeProjection, FitsAndHidesTheThreeEdgesBehind) {
    Orbit orbit;
    for (int turn = 0; turn < 30; ++turn) {
        orbit.turnBy({41.0, 17.0 * turn - 200.0}, kViewport);
        const VolumeProjection projection(boxOfSample(), orbit, kViewport);
        int hidden = 0;
        for (const auto& edge : projection.edges()) {
            hidden += edge.hidden ? 1 : 0;
            EXPECT_TRUE(kViewport.contains(edge.from));
            EXPECT_TRUE(kViewport.contains(edge.to));
        }
        EXPECT_EQ(hidden, 3);
    }
}

TEST(VolumeProjection, AxesAreNamedOutsideTheBox) {
    const VolumeProjection projection(boxOfSample(), Orbit(), kViewport);
    const auto marks = projection.axisMarks();
    ASSERT_EQ(marks.size(), 3U);
    EXPECT_EQ(marks[0].title, "lateral (\u00b5m)");
    EXPECT_EQ(marks[1].title, "depth (\u00b5m)");
    EXPECT_EQ(marks[2].title, "elevation (\u00b5m)");
    const Vec2 centre = kViewport.centre();
    for (const auto& axis : marks) {
        EXPECT_GE(axis.ticks.size(), 2U) << axis.title;
        for (const auto& tick : axis.ticks) {
            const auto away = [&](Vec2 p) { return std::hypot(p.x - centre.x, p.y - centre.y); };
            EXPECT_GT(away(tick.to), away(tick.from));
            EXPECT_GT(away(tick.text), away(tick.to));
        }
    }
    Orbit front;
    front.lookAtBscan();
    EXPECT_EQ(VolumeProjection(boxOfSample(), front, kViewport).axisMarks().size(), 2U)
        << "elevation is seen end on";
}

} // namespace
} // namespace echolux
