// SPDX-License-Identifier: GPL-3.0-or-later
// Poses against closed forms: rotations by known angles, cross products, quaternions.
#include "gpu/core/posed.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

namespace echolux {
namespace {

constexpr double kPoseDegree = std::numbers::pi / 180.0;

/// Rodrigues' formula: turns by `angle` about the unit vector `axis`.
Point rotatedAbout(const Point& axis, double angle, const Point& p) {
    const double along = axis.x * p.x + axis.y * p.y + axis.z * p.z;
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    return {p.x * c + (axis.y * p.z - axis.z * p.y) * s + axis.x * along * (1 - c),
            p.y * c + (axis.z * p.x - axis.x * p.z) * s + axis.y * along * (1 - c),
            p.z * c + (axis.x * p.y - axis.y * p.x) * s + axis.z * along * (1 - c)};
}

void expectPoint(const Point& a, const Point& b, double tolerance) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

Pose turnedPose(const Point& axis, double angle) {
    Pose pose;
    for (Point& along : pose.along) along = rotatedAbout(axis, angle, along);
    return pose;
}

TEST(Posed, PlacesAreTurnedAndMoved) {
    Pose pose = turnedPose({0, 0, 1}, 90 * kPoseDegree); // lateral to back, elevation to right
    pose.origin = {1, 2, 3};
    expectPoint(placedBy(pose, {0.5, 0.25, 4}), {1 - 0.25, 2 + 0.5, 7}, 1e-12);
}

TEST(Posed, QuaternionsOfRotations) {
    std::mt19937 random(49);
    std::uniform_real_distribution<double> part(-1.0, 1.0);
    std::vector<std::pair<Point, double>> turns{{{0, 0, 1}, 0.0},
                                                {{1, 0, 0}, std::numbers::pi},
                                                {{0, 1, 0}, std::numbers::pi},
                                                {{0, 0, 1}, std::numbers::pi}};
    for (int i = 0; i < 200; ++i) {
        const Point p{part(random), part(random), part(random)};
        const double length = std::hypot(p.x, p.y, p.z);
        turns.push_back(
            {{p.x / length, p.y / length, p.z / length}, std::numbers::pi * part(random)});
    }
    for (const auto& [axis, angle] : turns) {
        const Pose pose = turnedPose(axis, angle);
        const auto q = quaternionOf(pose.along);
        // (cos a/2, sin a/2 axis), or all of it negated
        const double sign = std::cos(angle / 2) < -1e-12 ? -1.0 : 1.0;
        const double s = sign * std::sin(angle / 2);
        if (std::abs(std::cos(angle / 2)) > 1e-9) {
            EXPECT_NEAR(q[0], sign * std::cos(angle / 2), 1e-12);
            EXPECT_NEAR(q[1], s * axis.x, 1e-12);
            EXPECT_NEAR(q[2], s * axis.y, 1e-12);
            EXPECT_NEAR(q[3], s * axis.z, 1e-12);
        }
        const auto back = columnsOf({2 * q[0], 2 * q[1], 2 * q[2], 2 * q[3]});
        for (std::size_t i = 0; i < 3; ++i) expectPoint(back[i], pose.along[i], 1e-12);
    }
}

TEST(Posed, HandednessAndRightAngles) {
    Pose pose = turnedPose({0.6, 0, 0.8}, 1.0);
    EXPECT_FALSE(isLeftHanded(pose));
    EXPECT_TRUE(isSquare(pose));
    pose.along[1] = {-pose.along[1].x, -pose.along[1].y, -pose.along[1].z};
    EXPECT_TRUE(isLeftHanded(pose));
    EXPECT_TRUE(isSquare(pose));
    pose.along[0] = {std::cos(0.001), std::sin(0.001), 0};
    pose.along[1] = {0, 1, 0};
    EXPECT_FALSE(isSquare(pose));
}

TEST(Posed, PosesOfSteps) {
    const std::array<Point, 3> steps{{{0, 2e-3, 0}, {0, 0, 0}, {0, 0, -1e-3}}};
    const auto pose = poseOf(steps, {1e-3, 0, 5e-3}, {0, 1e-3, -5e-3}, "LPS");
    ASSERT_NE(pose, nullptr);
    expectPoint(pose->along[1], {1, 0, 0}, 0.0); // depth x lateral = (0,0,-1) x (0,1,0)
    EXPECT_FALSE(isLeftHanded(*pose));
    expectPoint(pose->origin, {}, 0.0);
    EXPECT_EQ(poseOf({{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}, {}, "LPS"), nullptr);
    EXPECT_EQ(poseOf({{{1, 0, 0}, {0, 0, 0}, {2, 0, 0}}}, {}, {}, "LPS"), nullptr) << "parallel";
    EXPECT_EQ(poseOf({{{NAN, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}, {}, "LPS"), nullptr);
    EXPECT_EQ(poseOf({{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}, {NAN, 0, 0}, "LPS"), nullptr);
    EXPECT_NE(poseOf({{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}, {}, "LPS"), nullptr);
}

TEST(Posed, SidesOfPatients) {
    const Pose pose;
    EXPECT_EQ(sideOf(pose, {1, 0, 0}), "L");
    EXPECT_EQ(sideOf(pose, {-1, 0, 0}), "R");
    EXPECT_EQ(sideOf(pose, {0, 1, 0}), "P");
    EXPECT_EQ(sideOf(pose, {0, -1, 0}), "A");
    EXPECT_EQ(sideOf(pose, {0, 0, 1}), "S");
    EXPECT_EQ(sideOf(pose, {0, 0, -1}), "I");
    const auto inPlane = [&](double degrees) {
        return sideOf(pose, {std::cos(degrees * kPoseDegree), std::sin(degrees * kPoseDegree), 0});
    };
    EXPECT_EQ(inPlane(14.9), "L");
    EXPECT_EQ(inPlane(15.1), "LP");
    EXPECT_EQ(inPlane(46), "PL");
    EXPECT_EQ(inPlane(-60), "AL");
    EXPECT_EQ(inPlane(180 - 10), "R");
    const double third = 1 / std::sqrt(3.0);
    EXPECT_EQ(sideOf(pose, {-third, third, -third}), "RPI");
    Pose room;
    room.space = "room";
    EXPECT_EQ(sideOf(room, {1, 0, 0}), "");
}

TEST(Posed, PlanesOfVolumes) {
    FrameSpec volume;
    volume.axes = {{AxisName::Elevation, 5, 2e-3, 1e-3, "m"},
                   {AxisName::Depth, 4, 1e-3, 0.0, "m"},
                   {AxisName::Lateral, 3, 1e-3, -1e-3, "m"}};
    Pose pose = turnedPose({0, 1, 0}, 30 * kPoseDegree);
    pose.origin = {7e-3, 0, 0};
    volume.pose = std::make_shared<const Pose>(pose);
    const FrameSpec plane = planeOf(volume, AxisName::Elevation, 3);
    EXPECT_EQ(plane.describe(), "f32 [depth 4][lateral 3]");
    expectPoint(placedBy(*plane.pose, {2e-3, 0, 5e-3}), placedBy(pose, {2e-3, 7e-3, 5e-3}), 1e-15);
    EXPECT_EQ(planeOf(volume, AxisName::Channel, 3).axes.size(), 3U);

    auto side = std::make_shared<const FrameSpec>(planeOf(volume, AxisName::Lateral, 0));
    movePlane(side, volume, AxisName::Lateral, 2);
    expectPoint(placedBy(*side->pose, {0, 1e-3, 2e-3}), placedBy(pose, {1e-3, 1e-3, 2e-3}), 1e-15);
    const auto before = side;
    movePlane(side, volume, AxisName::Lateral, 2);
    EXPECT_EQ(side, before) << "nothing is allocated for a plane that lies there already";
    volume.axes[2].unit = "";
    EXPECT_EQ(planeOf(volume, AxisName::Lateral, 2).pose->origin, pose.origin) << "no length";
    volume.pose = nullptr;
    EXPECT_EQ(planeOf(volume, AxisName::Lateral, 2).pose, nullptr);
}

} // namespace
} // namespace echolux
