// SPDX-License-Identifier: GPL-3.0-or-later
// Images runs of B-scans with one launch of each kernel per run, for playback as fast as possible.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/stream/ring.hpp"

#include <cstdint>

namespace echolux {

/// Stacks frames of one B-scan each to one frame of several B-scans, and images it with a runner of
/// its own. Used by the pipeline thread.
class RunImager {
public:
    /// `inFlight` runs at a time, of at most `runBytes` raw bytes; 0: never.
    RunImager(Backend backend, int inFlight, std::size_t runBytes)
        : m_runner(backend, inFlight), m_runBytes(runBytes) {}

    /// Called with no run in flight. Prepares for runs of frames that `single` images one by one.
    /// Returns how many frames a run has: a power of two, or 1 where runs are impossible, because
    /// frames are not single B-scans, because a stage mixes B-scans or carries a state, or because
    /// memory does not suffice.
    std::int64_t prepare(const Snapshot& single);
    std::int64_t frames() const { return m_frames; } ///< the result of prepare(); 1 before it
    void release();                                  ///< gives the memory back

    /// Enqueues a run and returns its slot. The run begins at a multiple of frames().
    int enqueue(const RawFrame& run);
    /// The images of the slot's run, one after the other, in compute memory.
    const float* images(int slot) const;
    Runner& runner() { return m_runner; }

private:
    std::int64_t framesFor(const Snapshot& single) const;

    Runner m_runner;
    std::size_t m_runBytes;
    std::int64_t m_frames = 1;
};

} // namespace echolux
