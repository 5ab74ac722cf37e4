// SPDX-License-Identifier: GPL-3.0-or-later
// Splits a pipeline in two: stages that see each frame alone, so that several processes can share
// the frames, and the stages behind them, which see all frames in order.
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "gpu/exec/exec.hpp"

#include <cstdint>
#include <string>

namespace echolux {

struct FrameCut {
    std::string at;   ///< whose frames are handed over: "out@median", "frame@recording"
    SnapshotPtr head; ///< its first view is what is handed over; null: the raw frames are
    SnapshotPtr tail; ///< takes the frames of `at`, one at a time or in ensembles; null: no stage
                      ///< follows
    std::int64_t perWindow = 1; ///< frames that are handed over for each window of raw frames
};

/// The latest cut on the way to the first view of `whole` (null: raw frames, which are handed
/// over). Frames that pass `head` and then, in order, `tail` equal those of `whole` to the bit:
/// both run the steps of `whole`, in the same fusions. Throws Error that names the stage which
/// keeps something from frame to frame where no stage stands before it.
FrameCut cutFrames(const SnapshotPtr& whole, const FrameSpec& raw, Backend backend);

} // namespace echolux
