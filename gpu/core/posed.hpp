// SPDX-License-Identifier: GPL-3.0-or-later
// Places, planes and directions of frames with a pose.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <array>
#include <memory>
#include <string>

namespace echolux {

/// Coordinates in the pose's space of a place of the frame (x lateral, y elevation, z depth). [m]
Point placedBy(const Pose& pose, const Point& place);

/// True where lateral, elevation and depth, right-handed in this order in the frame, are
/// left-handed in the pose's space.
bool isLeftHanded(const Pose& pose);

/// True where the three directions are perpendicular to each other, within 0.006 degrees.
bool isSquare(const Pose& pose);

/// The unit quaternion w, x, y, z, with w at least 0, of the rotation whose columns these are:
/// perpendicular unit vectors, right-handed.
std::array<double, 4> quaternionOf(const std::array<Point, 3>& columns);
/// Its inverse. `quaternion` may have any length but 0.
std::array<Point, 3> columnsOf(const std::array<double, 4>& quaternion);

/// A pose whose axes have the directions of `steps` (lateral, elevation, depth; any lengths), and
/// in which the place `at` of the frame lies at `first`. Null where a direction has no length, but
/// the elevation's follows from the other two, right-handed.
std::shared_ptr<const Pose> poseOf(std::array<Point, 3> steps, const Point& at, const Point& first,
                                   const std::string& space);

/// The pose of the plane at `metres` of an axis, as frames have it that lack this axis.
std::shared_ptr<const Pose> planeOf(const std::shared_ptr<const Pose>& pose, AxisName axis,
                                    double metres);

/// A plane of a volume: `image` without this axis, at index `at` of it.
FrameSpec planeOf(FrameSpec image, AxisName axis, double at);
/// Lets `plane`, a plane of `volume` across `axis`, lie at index `at`. Allocates only where it lay
/// elsewhere.
void movePlane(std::shared_ptr<const FrameSpec>& plane, const FrameSpec& volume, AxisName axis,
               double at);

/// The side of the patient that a direction of the pose's space points to: "L", "R", "A", "P",
/// "S" or "I"; oblique ones have several letters, "PS", the largest part first. Parts below the
/// sine of 15 degrees are left out. Empty where the space is not a patient's.
std::string sideOf(const Pose& pose, const Point& direction);
/// The same for the direction in which an axis of the frame rises or, backwards, falls. Empty where
/// the pose is null or does not place this axis.
std::string sideOf(const FrameSpec& frame, AxisName axis, bool backwards);

} // namespace echolux
