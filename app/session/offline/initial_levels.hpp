// SPDX-License-Identifier: GPL-3.0-or-later
// How bright a recording is shown at first.
#pragma once

#include "app/dataset/recording/recording.hpp"

namespace echolux {

/// Part of opening a recording to make images of it: finds the levels between which the shipped
/// OCT pipeline shows it well, in 64 A-scans from four frames, and tells them to the recording, so
/// that the pipeline's default limits follow them. Of echoes whose converter's range is unknown it
/// finds the largest sample in lines of at most four frames, for stages whose maximum is fixed.
/// Nothing changes where these lines give no image. Costs about as much as so many A-scans of the
/// CPU backend, or as reading these frames.
void findInitialLevels(Recording& recording);

} // namespace echolux
