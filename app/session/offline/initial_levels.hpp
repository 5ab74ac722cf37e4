// SPDX-License-Identifier: GPL-3.0-or-later
// Finds how bright a recording is shown at first.
#pragma once

#include "app/dataset/recording/recording.hpp"

namespace echolux {

/// Part of opening a recording to make images of it. For OCT it finds the levels between which the
/// shipped pipeline shows 64 A-scans of four frames well. It writes them into the recording, where
/// the pipeline's default limits come from. For ultrasound of an unknown converter range it finds
/// the largest sample in lines of at most four frames, for stages whose maximum is fixed. Changes
/// nothing where these lines give no image. Costs as much as 64 A-scans on the CPU backend, or as
/// reading the frames.
void findInitialLevels(Recording& recording);

} // namespace echolux
