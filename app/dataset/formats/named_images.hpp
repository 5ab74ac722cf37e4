// SPDX-License-Identifier: GPL-3.0-or-later
// Images in containers of named arrays: the array `data` with its geometry.
#pragma once

#include "app/dataset/formats/named_numbers.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// True where `data`, `form`, `depth` and `lateral` exist.
bool holdsNamedImages(const ArrayContainer& container);

/// Arrays, in SI units:
///   data                     frames, with the axes of axis_order; the frame axis is outermost
///                            (in MATLAB: depth, lateral, elevation, frame)
///   axis_order               axes of one frame, slowest first: 4 elevation, 5 depth, 6 lateral
///   form                     1 beamformed, 2 envelope, 3 decibels, 4 picture
///   depth, lateral, elevation   positions, evenly spaced
///   line_angles, apex_x, apex_z, apex_radius   of a sector; its `depth` is the range. Where each
///     line has a start of its own, `line_x` and `line_z` replace the apex
///   fc, fd, frame_rate, range_min, range_max
/// Throws Error where the arrays contradict each other.
std::unique_ptr<Recording> openNamedImages(const NamedNumbers& numbers, const std::string& format);

} // namespace echolux
