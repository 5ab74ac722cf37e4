// SPDX-License-Identifier: GPL-3.0-or-later
// The draggable box round a measured shape. Lengths in mm.
#pragma once

#include "app/measure/measurement.hpp"
#include "render/view/view_transform.hpp"

namespace echolux {

/// Axes of the measured image.
struct MeasuredAxes {
    measure::PixelAxis lateral;
    measure::PixelAxis depth;
};

/// The box round a shape. A point or blob has the box that it searches. A calliper has its width, a
/// line at least, and its span, without one the whole depth.
Rect boxOf(const measure::Measurement& made, const MeasuredAxes& axes);

/// Moves and stretches a shape so that its box becomes `to`.
void moveTo(measure::Measurement& made, const Rect& to, const MeasuredAxes& axes);

} // namespace echolux
