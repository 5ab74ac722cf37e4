// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that recorded images fit their coordinates.
#pragma once

#include "app/dataset/recording/recording.hpp"

namespace echolux {

/// Throws for recordings without a frame, for empty axes, for coordinates that are not finite or do
/// not rise, and for frequencies that are negative or not finite. Also for sectors whose number of
/// lines is not the frame's, whose angles do not rise or whose lines cross, and for complex samples
/// where the recorded form has no phase.
void checkImages(const RecordingInfo& info);

} // namespace echolux
