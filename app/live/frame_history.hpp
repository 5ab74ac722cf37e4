// SPDX-License-Identifier: GPL-3.0-or-later
// The latest frames of a source in memory of fixed size.
#pragma once

#include "app/dataset/recording/live_frames.hpp"
#include "app/live/live_source.hpp"
#include "gpu/memory/buffer.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace echolux {

/// One thread writes, any thread reads. Frames are numbered from 0 as they come. A new frame
/// replaces the oldest one that nobody reads. Nothing is allocated after construction, except for
/// the list of numbers.
class FrameHistory {
public:
    /// Keeps `frames` >= 2 frames, in memory for one more, which is being written. Throws
    /// OutOfMemory.
    FrameHistory(MemoryKind memory, std::size_t frameBytes, std::int64_t frames);

    /// Writer: memory for the next frame; null where readers hold all of it.
    std::byte* beginWrite();
    void publish(const FrameStamp& stamp); ///< writer: makes the frame readable as the newest one
    void abandonWrite();                   ///< writer: the frame is not kept

    KeptFrames kept() const;
    /// Empty where the frame is not kept. `owner` calls giveBack() with the slot of the loan.
    FrameLoan lend(std::int64_t number, LiveFrames& owner);
    void giveBack(std::size_t slot);
    std::optional<FrameStamp> stampOf(std::int64_t number) const; ///< null: it is not kept

    std::int64_t capacity() const { return static_cast<std::int64_t>(m_slots.size()) - 1; }
    std::size_t bytes() const { return m_slots.size() * m_stride; }

private:
    struct Slot {
        std::byte* samples = nullptr;
        std::int64_t number = -1;
        int readers = 0;
        FrameStamp stamp;
        FrameLoan::TimePoint arrived;
    };
    std::optional<std::size_t> slotOf(std::int64_t number) const;
    void forgetOldest();

    std::size_t m_stride;
    std::vector<Buffer> m_blocks;
    mutable std::mutex m_mutex;
    std::vector<Slot> m_slots;
    std::vector<std::size_t> m_free;
    std::deque<std::size_t> m_kept;       ///< slots from the oldest to the newest frame
    std::size_t m_writing = 0;            ///< slot between beginWrite() and publish()
    std::int64_t m_next = 0;              ///< number of the next frame
    std::chrono::nanoseconds m_since1970; ///< where the clock of FrameLoan began
};

} // namespace echolux
