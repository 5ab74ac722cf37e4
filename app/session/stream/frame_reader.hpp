// SPDX-License-Identifier: GPL-3.0-or-later
// Reads raw frames for the player. Uses several threads where the recording allows it. Reads each
// frame only once where the whole recording fits into staging memory.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "app/session/stream/ring.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace echolux {

/// Most bytes of raw frames in a run.
constexpr std::size_t kRunBytes = std::size_t{16} << 20;

/// How much memory a recording's frames may take: a share of the machine's memory, at most half of
/// what is free now.
std::size_t mostKeptBytes();

/// Used by the source thread. Any thread may call keptBytes().
class FrameReader {
public:
    using Warned = std::function<void(const std::string&)>;

    /// Keeps frames in `memory` where the recording has no more than `mostKept` bytes. Kept frames
    /// lie so that ensembles of `ensemble` frames are contiguous. `warned` is called for the first
    /// frame with a flaw.
    FrameReader(Recording& recording, MemoryKind memory, std::size_t mostKept, Warned warned,
                std::int64_t ensemble = 1);

    /// Allocates memory in all `slots` for frames that are not kept, so that nothing is allocated
    /// during playback.
    void prepare(std::vector<RawFrame>& slots) const;
    /// Reads frames first, first + 1, ... and lets `to` point to them. A run of kept frames is
    /// contiguous where its count is a power of two, its size at most kRunBytes, and its first
    /// frame a multiple of the count. Other runs of kept frames may be read again each time. A
    /// single live frame is lent. Throws Error where a frame cannot be read.
    void read(std::int64_t first, std::int64_t count, RawFrame& to);
    /// Bytes of frames that stay in staging memory.
    std::size_t keptBytes() const { return m_keptBytes; }

private:
    void borrow(std::int64_t frame, RawFrame& to);
    std::byte* keep(std::int64_t first, std::int64_t count);
    void readTo(std::int64_t first, std::int64_t count, std::byte* out);
    void foresee(std::int64_t next);
    void inspect(std::int64_t first, std::int64_t count, const std::byte* samples);
    void inspectLive(std::int64_t frame, const std::byte* samples);
    std::size_t roomBytes(std::int64_t frames) const;

    Recording& m_recording;
    const MemoryKind m_memory;
    const Warned m_warned;
    const std::size_t m_frameBytes;
    const std::int64_t m_ensemble;
    std::int64_t m_perChunk = 0;    ///< frames in one block of memory; 0: frames are not kept
    std::vector<Buffer> m_chunks;   ///< each is allocated when its first frame is read
    std::vector<bool> m_held;       ///< per frame: true once it is in its chunk
    std::vector<bool> m_inspected;  ///< per frame; emptied once a frame had a flaw
    std::int64_t m_inspectNext = 0; ///< the live frame from which on another one is inspected
    std::int64_t m_foreseen = 0;    ///< Recording::foresee() was called for the frames before this
                                    ///< one
    std::atomic<std::size_t> m_keptBytes{0};
};

} // namespace echolux
