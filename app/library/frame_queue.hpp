// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline between two queues: frames that are pushed, and results that wait to be taken.
#pragma once

#include "app/pipeline/runner.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/memory/buffer.hpp"

#include <sys/types.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace echolux::library {

/// What push() does while as many frames and results wait as the queue holds.
enum class Policy { Block, Drop, Refuse };

/// A pushed frame, and its images.
struct Result {
    enum class State : std::uint8_t {
        Filling,   ///< push() copies the frame
        Queued,    ///< the frame waits for the worker
        Computing, ///< the worker has it
        Ready,     ///< computed, on CUDA enqueued; or failed
    };

    std::int64_t number = 0;   ///< as pushed
    SnapshotPtr snapshot;      ///< by which it was computed
    std::vector<Buffer> views; ///< in compute memory, one per view
    Event ready;               ///< all views are complete
    std::exception_ptr error;  ///< why there are no views; null where there are
    int slot = 0;

    State state = State::Filling;         ///< guarded by the queue
    Buffer copy;                          ///< of the frame, where it was pushed from host memory
    const std::byte* frame = nullptr;     ///< `copy`, or the caller's device memory
    std::optional<device::Stream> stream; ///< that writes the caller's device memory
};

/// Any thread may call. A thread of its own, the worker, owns the runner on both backends: it takes
/// frames and edits one after the other, in the order of the calls. Who waits for whom:
///
/// - The worker waits for calls and for the GPU, never for a take: push() has given each frame its
///   place among the results.
/// - push() waits for a take where the queue is full and blocks. Nothing else waits for room. With
///   a frame in device memory it also waits until the worker has enqueued that.
/// - take() waits for the worker. So do edit(), restart(), flush() and, on CUDA, timing(), for what
///   was pushed before.
///
/// So there is no circle. No lock is held while a call waits or a frame is copied or computed.
class FrameQueue {
public:
    /// `waiting`: frames and results that may wait, at least 1.
    FrameQueue(BackendChoice place, const SnapshotPtr& snapshot, int waiting);
    /// Gives up frames that wait; waits for the one that is computed. No other call may be running.
    ~FrameQueue();
    FrameQueue(const FrameQueue&) = delete;
    FrameQueue& operator=(const FrameQueue&) = delete;

    /// False in a process that was forked from the one of the constructor: the worker is not there.
    /// The queue can neither be used nor destroyed then.
    bool isOfThisProcess() const;
    const BackendChoice& place() const { return m_place; }
    SnapshotPtr snapshot() const;
    void setPolicy(Policy policy);
    std::int64_t dropped() const;

    /// `stream`, if given: the frame is in device memory, see FrameJob::rawStream. Returns false
    /// where the queue is full and refuses. What fails in a stage is thrown by take().
    bool push(const void* frame, std::int64_t number, std::optional<device::Stream> stream);
    /// With `complete`: waits for at most `seconds` until the oldest result is there, and then
    /// until the GPU has computed it. Without: waits until the oldest frame is computed, on CUDA
    /// enqueued. Returns false where there is none. Throws where the frame failed; the result taken
    /// before stays taken then, and the next call takes the next one.
    bool take(double seconds, bool complete);
    /// The result taken last; null before the first. Valid until the next take().
    std::shared_ptr<const Result> taken() const;
    void copy(std::size_t view, void* out) const; ///< of the result taken last
    void flush();
    void restart();
    /// Puts `make(snapshot())` in force for the frames pushed later. Throws what it throws.
    void edit(const std::function<SnapshotPtr(const Snapshot& from)>& make);

    std::vector<Step> steps() const;
    FrameTiming timing(); ///< of the frame that was timed last; on CUDA of those that were taken

private:
    /// What the worker does next: a frame, or a task.
    struct Work {
        std::shared_ptr<Result> frame;
        std::packaged_task<void()> task;
    };

    bool hasRoom() const { return m_pending.size() < m_waiting; }
    std::shared_ptr<Result> reserved(std::int64_t number);
    bool dropOldest();
    void remove(std::shared_ptr<Result> result);
    void fill(Result& result, const void* frame, std::optional<device::Stream> stream) const;
    bool hasWork() const;
    void work();
    void compute(Result& result);
    void shape(Result& result) const;
    void inOrder(const std::function<void()>& task);
    void selectDevice() const;

    BackendChoice m_place;
    std::size_t m_waiting;
    std::size_t m_frameBytes; ///< of a pushed frame
    pid_t m_process;
    Stream m_copying; ///< for copy()

    // Of the worker.
    Runner m_runner;
    std::vector<const Result*> m_inSlot; ///< per slot: what was enqueued there last; null: nothing
    std::size_t m_nextSlot = 0;

    mutable std::mutex m_mutex; ///< guards all below
    std::condition_variable m_workCame;
    std::condition_variable m_changed; ///< of the results, the room or the policy
    bool m_ends = false;
    Policy m_policy = Policy::Block;
    std::int64_t m_dropped = 0;
    std::deque<Work> m_work;                       ///< oldest first
    std::deque<std::shared_ptr<Result>> m_pending; ///< pushed and not taken, oldest first
    std::vector<std::shared_ptr<Result>> m_free;
    std::shared_ptr<Result> m_taken;
    SnapshotPtr m_snapshot;
    std::vector<Step> m_steps;
    FrameTiming m_timing;

    std::thread m_worker; ///< last: it uses all above
};

} // namespace echolux::library
