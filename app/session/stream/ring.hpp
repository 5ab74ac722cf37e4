// SPDX-License-Identifier: GPL-3.0-or-later
// Bounded ring of raw frames between the source thread and the readers of its frames.
#pragma once

#include "app/dataset/recording/live_frames.hpp"
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

/// The content of one slot: one raw frame, or several consecutive ones.
struct RawFrame {
    const std::byte* samples = nullptr; ///< of all frames, one after the other; in `room`, or in
                                        ///< memory of the FrameReader
    std::size_t frameBytes = 0;
    std::int64_t index = 0;    ///< number of the first frame in the recording
    std::int64_t count = 1;    ///< frames
    std::int64_t ensemble = 1; ///< frames that are imaged as one: 1, or `count`
    Clock::time_point arrived; ///< when it was complete in host memory
    std::uint64_t sweep = 0;   ///< the sweep that it belongs to (Player::sweep); 0: it is to be
                               ///< shown
    bool isPast = false;       ///< not to be shown: states of the pipeline need it
    bool isAgain = false;      ///< was shown before, see Player::refill()
    Buffer room;               ///< staging memory of the slot; empty where none was needed
    FrameLoan loan;            ///< of a live frame that is read where it lies

    // Used by the ring alone.
    std::atomic<int> holders{0};   ///< number of handles
    std::atomic<int> consumers{0}; ///< handles of the consumer among them

    const std::byte* frame(std::int64_t number) const {
        return samples + static_cast<std::size_t>(number) * frameBytes;
    }
};

class Ring;

/// A handle that keeps a slot from being filled again. The slot is free once its last handle is
/// destroyed, on any thread. One handle is used by one thread at a time. All handles are destroyed
/// before their ring.
class RawRef {
public:
    RawRef() = default; ///< holds nothing
    RawRef(const RawRef& other) : RawRef(other.m_ring, other.m_frame, other.m_forConsumer) {}
    RawRef(RawRef&& other) noexcept { swap(other); }
    RawRef& operator=(RawRef other) noexcept {
        swap(other);
        return *this;
    }
    ~RawRef();

    /// A handle for another reader than the ring's consumer. Ring::waitForRoom() does not count it
    /// as work of the consumer.
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

/// One frame of a slot.
struct RawPlace {
    RawRef run;          ///< empty: no frame
    std::int64_t at = 0; ///< number of the frame in the slot, from 0

    explicit operator bool() const { return static_cast<bool>(run); }
    std::int64_t index() const { return run->index + at; } ///< in the recording
    const std::byte* samples() const { return run->frame(at); }
};

/// One producer and one consumer; the consumer may hand copies of its handles to other readers. The
/// states of a slot are free -> filling -> ready -> held -> free. A held slot is never overwritten;
/// the producer waits for a free one. All calls are thread-safe. None allocates after construction.
class Ring {
public:
    /// `slots` >= 2. While the consumer holds fewer than `room` slots, it can start another frame
    /// at once.
    Ring(int slots, int room);

    /// Producer: waits for a free slot and returns it. Null after close().
    RawFrame* beginFill();
    /// Producer, for frames with a time of their own: waits until the consumer can start the next
    /// published frame at once. So where the consumer is too slow, frames do not become old in the
    /// ring.
    void waitForRoom();
    void publish(RawFrame* frame);     ///< producer: makes the frame ready and sets `arrived`: now,
                                       ///< or when the loan came
    void abandonFill(RawFrame* frame); ///< producer: returns the slot unused
    /// Consumer: the oldest ready frame; an empty handle where none is ready.
    RawRef tryTake();
    bool empty() const;  ///< no frame is ready
    bool discardReady(); ///< frees the ready frames (after a seek); false where there were none
    void close();        ///< ends all waiting of the producer; held and ready frames stay

    /// The slots themselves: FrameReader::prepare() makes their memory before the first is filled.
    std::vector<RawFrame>& frames() { return m_frames; }

private:
    friend class RawRef;
    void letGo(RawFrame* frame, bool forConsumer);

    mutable std::mutex m_mutex;
    std::condition_variable m_freed;
    int m_room;
    std::vector<RawFrame> m_frames;
    std::vector<RawFrame*> m_free;
    std::deque<RawFrame*> m_ready;
    int m_inUse = 0; ///< slots that the consumer holds
    bool m_closed = false;
};

} // namespace echolux
