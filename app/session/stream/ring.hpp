// SPDX-License-Identifier: GPL-3.0-or-later
// Bounded ring of raw frames between the source thread and the pipeline thread.
#pragma once

#include "gpu/memory/buffer.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace echolux {

using Clock = std::chrono::steady_clock;

/// Raw frames that travel together: one, or a run of several that follow one another.
struct RawFrame {
    const std::byte* samples = nullptr; ///< of all, one after the other; in `room`, or kept by
                                        ///< whoever reads
    std::size_t frameBytes = 0;
    std::int64_t index = 0;    ///< in the recording, of the first
    std::int64_t count = 1;    ///< frames
    Clock::time_point arrived; ///< complete in host memory
    std::uint64_t sweep = 0;   ///< that it belongs to (Player::sweep); 0: it is to be shown
    Buffer room;               ///< staging memory of the slot, empty where none was needed
    bool inUse = false;        ///< between tryTake() and giveBack(); the ring's own

    const std::byte* frame(std::int64_t number) const {
        return samples + static_cast<std::size_t>(number) * frameBytes;
    }
};

/// One frame of those that travel together.
struct RawPlace {
    RawFrame* run = nullptr; ///< null: none
    std::int64_t at = 0;     ///< counted in the run

    explicit operator bool() const { return run != nullptr; }
    std::int64_t index() const { return run->index + at; } ///< in the recording
    const std::byte* samples() const { return run->frame(at); }
};

/// What happens when a frame comes and every slot is full.
enum class RingPolicy {
    Block,      ///< the source waits: nothing of a recording is lost
    DropOldest, ///< the oldest unprocessed frame is overwritten and counted: a live source never
                ///< waits
};

/// One producer, one consumer. Slots travel free -> filling -> ready -> in use -> free; a slot in
/// use is never overwritten. All calls are thread-safe; none allocates after construction.
class Ring {
public:
    /// `slots` >= 2. `room`: slots that the consumer uses at most while it would start another
    /// frame at once.
    Ring(RingPolicy policy, int slots, int room);

    /// Producer: a slot to fill, or null after close(). Block: waits for a free one.
    RawFrame* beginFill();
    /// Producer, of frames that have a pace: waits until what is published next is started at once,
    /// so that a frame does not grow old in the ring where the consumer cannot follow.
    void waitForRoom();
    void publish(RawFrame* frame); ///< producer: stamps the arrival
    /// Consumer: the oldest ready frame, or null where there is none at the moment.
    RawFrame* tryTake();
    /// Consumer: done with it. Producer: the fill failed.
    void giveBack(RawFrame* frame);
    bool empty() const;  ///< nothing ready
    void discardReady(); ///< drops what is ready without counting it (after a seek)
    void close();        ///< wakes the producer for good
    std::uint64_t dropped() const;

    /// The slots themselves, for whoever makes their memory before the first is filled.
    std::vector<RawFrame>& frames() { return m_frames; }

private:
    mutable std::mutex m_mutex;
    std::condition_variable m_freed;
    RingPolicy m_policy;
    int m_room;
    std::vector<RawFrame> m_frames;
    std::vector<RawFrame*> m_free;
    std::deque<RawFrame*> m_ready;
    int m_inUse = 0;
    std::uint64_t m_dropped = 0;
    bool m_closed = false;
};

} // namespace echolux
