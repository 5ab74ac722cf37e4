// SPDX-License-Identifier: GPL-3.0-or-later
// Positions on an axis as fractions of its length, which also hold for axes of other sizes.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <algorithm>

namespace echolux {

/// In the unit of the axis. `part` 0 is the first sample, 1 the last.
inline double placeAt(const Axis& axis, double part) {
    return axis.origin + part * static_cast<double>(axis.size - 1) * axis.spacing;
}

/// The fraction at which `place` lies, from 0 to 1; 0 on an axis of one sample.
inline double partOf(const Axis& axis, double place) {
    const double length = static_cast<double>(axis.size - 1) * axis.spacing;
    return length > 0.0 ? std::clamp((place - axis.origin) / length, 0.0, 1.0) : 0.0;
}

} // namespace echolux
