// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what is said of probe, transmits and channels fits itself and the frames.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <optional>
#include <string>

namespace echolux {

/// What makes `frame.acquisition`, which is not null, impossible for the channels and transmits of
/// the frame, as "its ..."; nothing where they agree: numbers of elements, transmits and tables,
/// values that are not finite, negative lengths, normals that are no unit vectors, channels that
/// listen to no element, transmits in which no element fires.
std::optional<std::string> contradictionInAcquisition(const FrameSpec& frame);

} // namespace echolux
