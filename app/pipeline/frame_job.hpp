// SPDX-License-Identifier: GPL-3.0-or-later
// What a runner is told about one frame: its data, where its images go, and what it follows.
#pragma once

#include "app/pipeline/pipeline_config.hpp"
#include "gpu/exec/exec.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace echolux {

/// Which frame counts as the previous one, for stages that carry a state from frame to frame.
enum class Turn {
    Next,  ///< the frame enqueued last
    Again, ///< the one before that: this frame replaces the frame enqueued last
    Aside, ///< the last frame aside: frames aside form a series of their own, and shown frames do
           ///< not see their states
};

/// Where a view's image goes.
struct ViewTarget {
    void* pixels = nullptr;      ///< compute memory; null: a buffer of the slot
    const Event* free = nullptr; ///< if given: the pixels may be written once this event has passed
};

using ViewTargets = std::array<ViewTarget, kMostViews>; ///< one per view of the snapshot

struct FrameJob {
    /// One raw frame, pinned for overlap, valid until the slot has finished.
    const std::byte* raw = nullptr;
    ViewTargets targets = {};
    Turn turn = Turn::Next;
    std::int64_t frame = 0; ///< number in the recording
    /// On CUDA, if given: `raw` is in device memory, and work on this stream writes it. Work that
    /// is enqueued there later waits until the frame has been read.
    std::optional<device::Stream> rawStream = std::nullopt;
};

} // namespace echolux
