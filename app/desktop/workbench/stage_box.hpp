// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the image that a stage works on: from its parameters to a box, and back.
#pragma once

#include "app/desktop/workbench/workbench.hpp"
#include "app/pipeline/snapshot.hpp"

#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// True where places of the image are metres in x and z, as those of boxes are.
bool isInPlane(const FrameSpec& image);

/// Preconditions here and below: the stage has a box; the image lies in the plane.
Rect boxOf(const StageState& stage, const FrameSpec& image);
/// What brings the stage's box to `box`: keys and values.
std::vector<std::pair<std::string, double>> placesOf(const StageState& stage, const Rect& box);

/// The value, rounded to this part of the row's step, in the row's range.
Workbench::Value nearestValue(const StageState& stage, const std::string& key, double value,
                              double partOfStep = 1.0);

} // namespace echolux
