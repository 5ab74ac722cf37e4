// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline between two queues: frames that are pushed, and results that wait to be taken.
#pragma once

#include "app/pipeline/runner.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/memory/buffer.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace echolux::library {

/// What push() does while as many results wait as the queue holds.
enum class Policy { Block, Drop, Refuse };

/// The images of one frame.
struct Result {
    std::int64_t number = 0;   ///< as pushed
    SnapshotPtr snapshot;      ///< by which it was computed
    std::vector<Buffer> views; ///< in compute memory, one per view
    Event ready;               ///< all views are complete
    int slot = 0;
};

/// Any thread may call. One thread may push while another takes.
class FrameQueue {
public:
    /// `waiting`: results that may wait, at least 1.
    FrameQueue(BackendChoice place, SnapshotPtr snapshot, int waiting);
    ~FrameQueue(); ///< waits for the GPU; no other call may be running

    const BackendChoice& place() const { return m_place; }
    SnapshotPtr snapshot() const;
    void setPolicy(Policy policy);
    std::int64_t dropped() const;

    /// `stream`, if given: the frame is in device memory, see FrameJob::rawStream. Returns false
    /// where the queue is full and refuses.
    bool push(const void* frame, std::int64_t number, std::optional<device::Stream> stream);
    /// Waits for at most `seconds` until the oldest result is there, and with `complete` until it
    /// is computed. Returns false where there is none in time.
    bool take(double seconds, bool complete);
    /// The result taken last; null before the first. Valid until the next take().
    std::shared_ptr<const Result> taken() const;
    void copy(std::size_t view, void* out) const; ///< of the result taken last
    void flush();
    void restart();
    /// Puts `make(snapshot())` in force for the frames pushed later.
    void edit(const std::function<SnapshotPtr(const Snapshot& from)>& make);

    std::vector<Step> steps() const;
    FrameTiming timing() const; ///< of the frame that was timed last

private:
    std::shared_ptr<Result> freeResult();
    void shape(Result& result) const;
    void selectDevice() const;

    BackendChoice m_place;
    std::size_t m_waiting;
    mutable std::mutex m_engine; ///< guards the runner and what belongs to it; taken before m_mutex
    Runner m_runner;
    std::vector<Buffer> m_staging; ///< per slot, on CUDA: the frame, until it is uploaded
    std::vector<bool> m_isUsed;    ///< per slot: a frame was enqueued there
    std::size_t m_nextSlot = 0;
    FrameTiming m_timing;
    Stream m_copying; ///< for copy()

    mutable std::mutex m_mutex; ///< guards all below
    std::condition_variable m_changed;
    Policy m_policy = Policy::Block;
    std::int64_t m_dropped = 0;
    std::deque<std::shared_ptr<Result>> m_pending; ///< oldest first
    std::vector<std::shared_ptr<Result>> m_free;
    std::shared_ptr<Result> m_taken;
    SnapshotPtr m_snapshot;
};

} // namespace echolux::library
