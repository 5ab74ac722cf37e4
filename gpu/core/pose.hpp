// SPDX-License-Identifier: GPL-3.0-or-later
// Where a frame lies in a patient or a room.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <array>
#include <string>

namespace echolux {

/// Places a frame in the space of a patient or a room. The point at (lateral, elevation, depth) of
/// the frame, coordinates of its axes in m, lies at origin + lateral * along[0] + elevation *
/// along[1] + depth * along[2].
struct Pose {
    std::array<Point, 3> along{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    Point origin; ///< m
    /// What the coordinates count: "LPS" (towards the patient's left, back and head), or the name
    /// that the file gives to its space.
    std::string space = "LPS";

    bool isPatient() const { return space == "LPS"; }
    bool operator==(const Pose&) const = default;
};

} // namespace echolux
