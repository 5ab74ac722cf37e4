// SPDX-License-Identifier: GPL-3.0-or-later
// Poses of frames as trackers send them: a position and a rotation.
#pragma once

#include "gpu/core/pose.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace echolux {

struct FramePlace {
    std::array<float, 3> position{};                       ///< m
    std::array<float, 4> rotation{1.0F, 0.0F, 0.0F, 0.0F}; ///< a unit quaternion w, x, y, z
};

/// Null where the rotation is none, or something is not finite.
std::shared_ptr<const Pose> poseAt(const FramePlace& place, const std::string& space);
/// Null where the axes of the pose do not stand at right angles, or not as a right hand shows.
std::optional<FramePlace> placeOf(const Pose& pose);

} // namespace echolux
