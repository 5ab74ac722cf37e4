// SPDX-License-Identifier: GPL-3.0-or-later
// Checks axes and numbers of a frame, whatever it holds.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <optional>
#include <string>

namespace echolux {

/// Why no frame can be like this: a text that begins with "its ..." or "one frame ...". Empty where
/// one can. Checks numbers and sizes of axes, spacings, scale and offset of codes, the range of the
/// converter, and frequencies.
std::optional<std::string> contradictionInLayout(const FrameSpec& frame);

} // namespace echolux
