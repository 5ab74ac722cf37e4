// SPDX-License-Identifier: GPL-3.0-or-later
// Windows over pixels, and units, for the stages of tissue motion.
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/frame_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace echolux {

inline constexpr std::int64_t kMostWindowPixels = 255;
inline constexpr const char* kDisplacementUnit = "um";

/// The odd number of pixels that is nearest to this length, at least 3; `otherwise` where the axis
/// is not in metres. Null: frames that the stage refuses have no such axis.
inline std::int64_t oddPixels(const Axis* axis, double lengthM, std::int64_t otherwise) {
    if (axis == nullptr || axis->unit != "m" || !(axis->spacing > 0.0)) return otherwise;
    const double pixels = std::min(lengthM / axis->spacing, 1.0 * kMostWindowPixels);
    return std::max<std::int64_t>(3, 2 * static_cast<std::int64_t>(pixels / 2.0) + 1);
}

inline void checkDepthInMetres(const char* stage, const Axis& depth) {
    if (depth.unit == "m" && depth.spacing > 0.0 && depth.size >= 2) return;
    throw Error(fmt::format("{}: the image has {} depth{}{}; it needs two or more, in metres: "
                            "describe the recording's depth.",
                            stage, depth.size, depth.size == 1 ? "" : "s",
                            depth.unit == "m" ? "" : ", not in metres"));
}

} // namespace echolux
