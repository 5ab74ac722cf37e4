// SPDX-License-Identifier: GPL-3.0-or-later
// Images among arrays with names: `data` with its places.
#pragma once

#include "app/dataset/formats/named_numbers.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// Are there `data`, `form`, `depth` and `lateral`?
bool holdsNamedImages(const ArrayContainer& container);

/// Arrays, in SI units:
///   data                     its axes as axis_order says (of MATLAB depth, lateral, elevation,
///                            frame), frames outermost
///   axis_order               of one frame, slowest first: 4 elevation, 5 depth, 6 lateral
///   form                     1 beamformed, 2 envelope, 3 decibels, 4 picture
///   depth, lateral, elevation   places, evenly spaced
///   line_angles, apex_x, apex_z, apex_radius   of a sector, whose `depth` is the range; `line_x`
///     and `line_z` in place of the apex where each line has a start of its own
///   fc, fd, frame_rate, range_min, range_max
/// Throws Error where they contradict each other.
std::unique_ptr<Recording> openNamedImages(const NamedNumbers& numbers, const std::string& format);

} // namespace echolux
