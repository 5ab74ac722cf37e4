// SPDX-License-Identifier: GPL-3.0-or-later
// Bounded ring of raw frames between the source thread and those who read them.
#pragma once

#include "gpu/memory/buffer.hpp"

#include <atomic>
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
    std::int64_t ensemble = 1; ///< of those, imaged as one: 1, or all of them
    Clock::time_point arrived; ///< complete in host memory
    std::uint64_t sweep = 0;   ///< that it belongs to (Player::sweep); 0: it is to be shown
    Buffer room;               ///< staging memory of the slot, empty where none was needed

    // The ring's own.
    std::atomic<int> holders{0};   ///< handles
    std::atomic<int> consumers{0}; ///< of those, the consumer's

    const std::byte* frame(std::int64_t number) const {
        return samples + static_cast<std::size_t>(number) * frameBytes;
    }
};

class Ring;

/// A handle that keeps frames where they are: their slot is filled again once the last handle has
/// gone, on whatever thread. One handle is used by one thread at a time. All of them go before
/// their ring.
class RawRef {
public:
    RawRef() = default; ///< of none
    RawRef(const RawRef& other) : RawRef(other.m_ring, other.m_frame, other.m_forConsumer) {}
    RawRef(RawRef&& other) noexcept { swap(other); }
    RawRef& operator=(RawRef other) noexcept {
        swap(other);
        return *this;
    }
    ~RawRef();

    /// For another reader than the ring's consumer. What that one keeps is not what the consumer
    /// still has to do: see Ring::waitForRoom().
    RawRef forOther() const { return {m_ring, m_frame, false}; }
    explicit operator bool() const { return m_frame != nullptr; }
    const RawFrame& operator*() const { return *m_frame; }
    const RawFrame* operator->() const { return m_frame; }

private:
    friend class Ring;
    RawRef(Ring* ring, RawFrame* frame, bool forConsumer);
    void swap(RawRef& other) noexcept;

    Ring* m_ring = nullptr;
    RawFrame* m_frame = nullptr;
    bool m_forConsumer = true;
};

/// One frame of those that travel together.
struct RawPlace {
    RawRef run;          ///< of none: none
    std::int64_t at = 0; ///< counted in the run

    explicit operator bool() const { return static_cast<bool>(run); }
    std::int64_t index() const { return run->index + at; } ///< in the recording
    const std::byte* samples() const { return run->frame(at); }
};

/// What happens when a frame comes and no slot is free, for nobody has taken them or somebody
/// still holds them.
enum class RingPolicy {
    Block,      ///< the source waits: nothing of a recording is lost
    DropOldest, ///< the oldest frame that nobody has taken is overwritten, or the new one is lost
                ///< where there is none; both are counted: a live source never waits
};

/// One producer, one consumer, who may share what it takes with others. Slots travel free ->
/// filling -> ready -> held -> free; one that is held is never overwritten. All calls are
/// thread-safe; none allocates after construction.
class Ring {
public:
    /// `slots` >= 2. `room`: slots that the consumer uses at most while it would start another
    /// frame at once.
    Ring(RingPolicy policy, int slots, int room);

    /// Producer: a slot to fill. Block: waits for one. Null after close(), and of DropOldest where
    /// every slot is held.
    RawFrame* beginFill();
    /// Producer, of frames that have a pace: waits until what is published next is started at once,
    /// so that a frame does not grow old in the ring where the consumer cannot follow.
    void waitForRoom();
    void publish(RawFrame* frame);     ///< producer: stamps the arrival
    void abandonFill(RawFrame* frame); ///< producer: nothing is published
    /// Consumer: the oldest ready frame, or none where there is none at the moment.
    RawRef tryTake();
    bool empty() const;  ///< nothing ready
    void discardReady(); ///< drops what is ready without counting it (after a seek)
    void close();        ///< wakes the producer for good; what is held or ready stays so
    std::uint64_t dropped() const;

    /// The slots themselves, for whoever makes their memory before the first is filled.
    std::vector<RawFrame>& frames() { return m_frames; }

private:
    friend class RawRef;
    void letGo(RawFrame* frame, bool forConsumer);

    mutable std::mutex m_mutex;
    std::condition_variable m_freed;
    RingPolicy m_policy;
    int m_room;
    std::vector<RawFrame> m_frames;
    std::vector<RawFrame*> m_free;
    std::deque<RawFrame*> m_ready;
    int m_inUse = 0; ///< held by the consumer
    std::uint64_t m_dropped = 0;
    bool m_closed = false;
};

} // namespace echolux
