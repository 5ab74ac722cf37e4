// SPDX-License-Identifier: GPL-3.0-or-later
// A raw sink receives the raw frames in addition to the pipeline.
#pragma once

#include "app/session/stream/ring.hpp"

namespace echolux {

/// Receives the raw frames that the pipeline takes, each once, in the same order. It does not
/// receive frames of a sweep, the shown frame that is imaged again after an edit, or frames that a
/// seek discarded, or that a live source made while the pipeline was busy. The pipeline thread
/// alone calls it; only destruction may happen elsewhere. take() does not wait for a disk or a
/// queue. An exception is reported and freezes playback.
class RawSink {
public:
    virtual ~RawSink() = default;

    /// The sink may keep `frames` as long as it needs and release them on any thread. The source
    /// cannot use their slots meanwhile, and waits when none is left.
    virtual void take(RawRef frames) = 0;
    /// No more frames come. The sink has released all frames when this returns.
    virtual void end() = 0;
};

} // namespace echolux
