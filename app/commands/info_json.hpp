// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux info --json`, and what both of its forms derive from a recording.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <nlohmann/json.hpp>

namespace echolux {

/// Depths straight below the array's centre that the samples of every transmit cover: there the
/// echo returns after about 2 z / c. [m]
struct CoveredDepths {
    double min = 0.0;
    double max = 0.0;
};
CoveredDepths coveredDepths(const FrameSpec& frame);

/// 0 = unknown.
double lineSpacingM(const FrameSpec& frame);

nlohmann::json toJson(const RecordingInfo& info);

} // namespace echolux
