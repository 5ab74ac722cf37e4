// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever takes the raw frames beside the pipeline: a recorder.
#pragma once

#include "app/session/stream/ring.hpp"

namespace echolux {

/// Gets the raw frames that the pipeline takes, each once and in that order: none of a sweep, not
/// the shown one again after an edit, and none that a seek or RingPolicy::DropOldest passed over.
/// Called by the pipeline thread alone, but for destruction; take() waits for no disk and no queue.
/// What it throws is told and freezes playback.
class RawSink {
public:
    virtual ~RawSink() = default;

    /// `frames` may be kept as long as it takes, and let go of on any thread. Slots that are held
    /// are missing to the source; RingPolicy says what it does when it has none left.
    virtual void take(RawRef frames) = 0;
    /// Nothing more comes. All that was kept has been let go of when this returns.
    virtual void end() = 0;
};

} // namespace echolux
