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

struct RawFrame {
    Buffer data;               ///< staging memory, one raw frame
    std::int64_t index = 0;    ///< in the recording
    Clock::time_point arrived; ///< complete in host memory
    std::uint64_t sweep = 0;   ///< that it belongs to (Player::sweep); 0: it is to be shown
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
    /// `slots` >= 2 frames of `frameBytes` in `memory`.
    Ring(RingPolicy policy, MemoryKind memory, int slots, std::size_t frameBytes);

    /// Producer: a slot to fill, or null after close(). Block: waits for a free one.
    RawFrame* beginFill();
    void publish(RawFrame* frame); ///< producer: stamps the arrival
    /// Consumer: the oldest ready frame, or null where there is none at the moment.
    RawFrame* tryTake();
    /// Consumer: done with it. Producer: the fill failed.
    void giveBack(RawFrame* frame);
    bool empty() const;  ///< nothing ready
    void discardReady(); ///< drops what is ready without counting it (after a seek)
    void close();        ///< wakes the producer for good
    std::uint64_t dropped() const;

private:
    mutable std::mutex m_mutex;
    std::condition_variable m_freed;
    RingPolicy m_policy;
    std::vector<RawFrame> m_frames;
    std::vector<RawFrame*> m_free;
    std::deque<RawFrame*> m_ready;
    std::uint64_t m_dropped = 0;
    bool m_closed = false;
};

} // namespace echolux
