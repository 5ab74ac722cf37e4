// SPDX-License-Identifier: GPL-3.0-or-later
// One frame of a recording through a pipeline, without a window: for commands and tests.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/snapshot.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

struct HostFrameData {
    FrameSpec spec;
    std::vector<std::byte> bytes;
    std::optional<std::string> warning = {}; ///< about flaws of the raw samples
};

/// Processes frame `index` (0-based), or the ensemble that holds it, and returns the output of
/// `stage`, or of the whole chain. Throws Error where the frame or the stage does not exist.
HostFrameData processFrame(Recording& recording, const SnapshotPtr& snapshot, Backend backend,
                           std::int64_t index, const std::optional<std::string>& stage = {});

} // namespace echolux
