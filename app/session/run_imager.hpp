// SPDX-License-Identifier: GPL-3.0-or-later
// Images runs of B-scans with one launch of each kernel, for playback that is faster than anybody
// looks.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/stream/ring.hpp"

#include <cstdint>

namespace echolux {

/// Frames of one B-scan each, stacked to a frame of several for a runner of its own. Used by the
/// pipeline thread.
class RunImager {
public:
    /// `inFlight` runs at a time, of at most `runBytes` raw bytes; 0: never.
    RunImager(Backend backend, int inFlight, std::size_t runBytes)
        : m_runner(backend, inFlight), m_runBytes(runBytes) {}

    /// Nothing in flight. Makes ready for runs of frames that `single` images one by one, and
    /// answers how many frames a run has, a power of two; 1 where such runs cannot be had: frames
    /// that are no single B-scans, stages that mix B-scans or carry a state, too little memory.
    std::int64_t prepare(const Snapshot& single);
    std::int64_t frames() const { return m_frames; } ///< as prepare() answered; 1 before
    void release();                                  ///< gives the memory back

    /// Enqueues a run, which begins at a multiple of frames(), and returns its slot.
    int enqueue(const RawFrame& run);
    /// Its images one after the other, in compute memory.
    const float* images(int slot) const;
    Runner& runner() { return m_runner; }

private:
    std::int64_t framesFor(const Snapshot& single) const;

    Runner m_runner;
    std::size_t m_runBytes;
    std::int64_t m_frames = 1;
};

} // namespace echolux
