// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that recorded images fit their coordinates.
#pragma once

#include "app/dataset/recording/recording.hpp"

namespace echolux {

/// Throws for images without pixels, for coordinates that are not finite, for sectors whose number
/// of lines is not the frame's or whose angles do not rise, and for complex samples where the
/// recorded form has no phase.
void checkImages(const RecordingInfo& info);

} // namespace echolux
