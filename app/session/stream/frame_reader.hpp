// SPDX-License-Identifier: GPL-3.0-or-later
// Reads raw frames for the player: with several threads where the recording lets it, and once only
// where the whole recording fits into staging memory.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "app/session/stream/ring.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace echolux {

/// Bytes of raw frames that make a run worth its launches.
constexpr std::size_t kRunBytes = std::size_t{16} << 20;

/// A share of the machine's memory, at most half of what is free now, for a recording's frames.
std::size_t mostKeptBytes();

/// Used by the source thread; keptBytes() by any.
class FrameReader {
public:
    using Warned = std::function<void(const std::string&)>;

    /// Keeps frames in `memory` where the recording has no more than `mostKept` bytes, so that
    /// ensembles of `ensemble` lie in a row. `warned` is told of the first frame that is not sound.
    FrameReader(Recording& recording, MemoryKind memory, std::size_t mostKept, Warned warned,
                std::int64_t ensemble = 1);

    /// Room for frames that are not kept, in all of `slots`: so nothing is allocated while playing.
    void prepare(std::vector<RawFrame>& slots) const;
    /// Frames first, first + 1, ... into `to`, which then points to them. A run of kept frames has
    /// a power of two of them, at most kRunBytes long, and begins at a multiple of it; other ones
    /// may be read anew each time, for those that lie apart. Throws Error where one cannot be read.
    void read(std::int64_t first, std::int64_t count, RawFrame& to);
    /// Of frames that stay in staging memory.
    std::size_t keptBytes() const { return m_keptBytes; }

private:
    std::byte* keep(std::int64_t first, std::int64_t count);
    void readTo(std::int64_t first, std::int64_t count, std::byte* out);
    void foresee(std::int64_t next);
    void inspect(std::int64_t first, std::int64_t count, const std::byte* samples);
    std::size_t roomBytes(std::int64_t frames) const;

    Recording& m_recording;
    const MemoryKind m_memory;
    const Warned m_warned;
    const std::size_t m_frameBytes;
    const std::int64_t m_ensemble;
    std::int64_t m_perChunk = 0;   ///< frames that lie in one block; 0: frames are not kept
    std::vector<Buffer> m_chunks;  ///< made as they are reached
    std::vector<bool> m_held;      ///< per frame: it stands in its chunk
    std::vector<bool> m_inspected; ///< per frame; empty once one was not sound
    std::int64_t m_foreseen = 0;   ///< frames before this one were told of
    std::atomic<std::size_t> m_keptBytes{0};
};

} // namespace echolux
