// SPDX-License-Identifier: GPL-3.0-or-later
// Whether recorded images fit what is said of their places.
#pragma once

#include "app/dataset/recording/recording.hpp"

namespace echolux {

/// Refuses images without pixels, places that are not finite, sectors whose lines are not those of
/// the frame or whose angles do not rise, complex samples of what has no phase.
void checkImages(const RecordingInfo& info);

} // namespace echolux
