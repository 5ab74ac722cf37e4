// SPDX-License-Identifier: GPL-3.0-or-later
// One frame of a recording through a pipeline, without a window: for commands and tests.
#pragma once

#include "app/dataset/recording/ensemble.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/snapshot.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

class Runner;

/// Runs the images before the window that begins with frame `first`, as many as the windows of
/// `gather` hold (imagesBefore()), so that the next one does not begin them anew. `raw` is staging
/// memory for one window. Throws Error where a frame cannot be read.
void runPast(Recording& recording, Runner& runner, const EnsembleWindows& windows,
             std::int64_t first, const Buffer& raw);

struct HostFrameData {
    FrameSpec spec;
    std::vector<std::byte> bytes;
    std::optional<std::string> warning = {}; ///< about flaws of the raw samples
};

/// Processes frame `index` (0-based), or the ensemble that holds it, behind its past, and returns
/// the images of all views. Throws Error where the frame does not exist.
std::vector<HostFrameData> processViews(Recording& recording, const SnapshotPtr& snapshot,
                                        Backend backend, std::int64_t index);
/// The same for the output of `stage`, or of the first view. Throws Error where the stage does not
/// exist, too.
HostFrameData processFrame(Recording& recording, const SnapshotPtr& snapshot, Backend backend,
                           std::int64_t index, const std::optional<std::string>& stage = {});

} // namespace echolux
