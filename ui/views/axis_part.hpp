// SPDX-License-Identifier: GPL-3.0-or-later
// Places on an axis as parts of its length, which hold for axes of other sizes, too.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <algorithm>

namespace echolux {

/// In the unit of the axis: 0 is its first sample, 1 its last.
inline double placeAt(const Axis& axis, double part) {
    return axis.origin + part * static_cast<double>(axis.size - 1) * axis.spacing;
}

/// The part at which `place` lies, from 0 to 1; 0 on an axis of one sample.
inline double partOf(const Axis& axis, double place) {
    const double length = static_cast<double>(axis.size - 1) * axis.spacing;
    return length > 0.0 ? std::clamp((place - axis.origin) / length, 0.0, 1.0) : 0.0;
}

} // namespace echolux
