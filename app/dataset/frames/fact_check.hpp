// SPDX-License-Identifier: GPL-3.0-or-later
// Checks what foreign code or another program says about a recording.
#pragma once

#include "app/dataset/recording/recording.hpp"

namespace echolux {

/// Throws Error where there can be no such frames, or where facts contradict each other. Leaves out
/// a background that cannot be used, with a warning.
void checkFacts(RecordingInfo& info);

} // namespace echolux
