// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that probe, transmits and channels are consistent with each other and with the frames.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <optional>
#include <string>

namespace echolux {

/// Why `frame.acquisition` (not null) is impossible for the channels and transmits of the frame: a
/// text that begins with "its ...". Empty where they agree. Checks numbers of elements, transmits
/// and tables, values that are not finite, negative lengths, normals that are no unit vectors,
/// channels that listen to no element, and transmits in which no element fires.
std::optional<std::string> contradictionInAcquisition(const FrameSpec& frame);

} // namespace echolux
