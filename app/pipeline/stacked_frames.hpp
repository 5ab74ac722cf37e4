// SPDX-License-Identifier: GPL-3.0-or-later
// B-scans of one frame each, stacked to one frame of several and imaged together.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <cstdint>

namespace echolux {

/// The pipeline `single` for stacks of `bscans` of its frames, one after the other. Null where the
/// images would not be those of the single frames: frames are no single B-scans, there are several
/// views, a stage mixes B-scans, carries a state or has other defaults for a stack. Throws Error
/// where a stage refuses the stack.
SnapshotPtr stackedSnapshot(const Snapshot& single, std::int64_t bscans);

/// False where it is null for every number of B-scans, for the reasons that need no planning.
bool canStack(const Snapshot& single);

} // namespace echolux
