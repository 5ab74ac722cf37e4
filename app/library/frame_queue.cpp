// SPDX-License-Identifier: GPL-3.0-or-later
// Pushes, takes and edits, and the thread that does them.
#include "app/library/frame_queue.hpp"

#include "app/dataset/recording/thread_name.hpp"
#include "gpu/memory/transfer.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace echolux::library {
namespace {

constexpr int kMostSlots = 3; ///< more frames in flight gain nothing

int slotsFor(int waiting) { return std::clamp(waiting, 1, kMostSlots); }

} // namespace

FrameQueue::FrameQueue(BackendChoice place, const SnapshotPtr& snapshot, int waiting)
    : m_place(std::move(place)), m_waiting(static_cast<std::size_t>(waiting)),
      m_frameBytes(snapshot->input.bytes()), m_process(getpid()),
      m_copying(m_place.backend, "results"), m_runner(m_place.backend, slotsFor(waiting)),
      m_snapshot(snapshot) {
    m_runner.apply(snapshot);
    m_steps = m_runner.steps();
    m_inSlot.assign(static_cast<std::size_t>(m_runner.slotCount()), nullptr);
    // One more than may wait: the one that is taken.
    for (std::size_t i = 0; i <= m_waiting; ++i) {
        auto result = std::make_shared<Result>();
        result->ready = Event(m_place.backend, false);
        m_free.push_back(std::move(result));
    }
    m_worker = std::thread([this] { work(); });
}

FrameQueue::~FrameQueue() {
    {
        const std::scoped_lock lock(m_mutex);
        m_ends = true;
    }
    m_workCame.notify_one();
    m_worker.join();
    try {
        selectDevice();
        m_runner.drain();
    } catch (const Error&) { // a broken device has nothing left to wait for
    }
}

bool FrameQueue::isOfThisProcess() const { return getpid() == m_process; }

/// CUDA keeps the current device per thread.
void FrameQueue::selectDevice() const {
    if (m_place.backend == Backend::Cuda) device::select(m_place.gpu);
}

SnapshotPtr FrameQueue::snapshot() const {
    const std::scoped_lock lock(m_mutex);
    return m_snapshot;
}

void FrameQueue::setPolicy(Policy policy) {
    const std::scoped_lock lock(m_mutex);
    m_policy = policy;
    m_changed.notify_all();
}

std::int64_t FrameQueue::dropped() const {
    const std::scoped_lock lock(m_mutex);
    return m_dropped;
}

// ---- Pushes -----------------------------------------------------------------------------------

bool FrameQueue::push(const void* frame, std::int64_t number,
                      std::optional<device::Stream> stream) {
    selectDevice();
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return hasRoom() || m_policy != Policy::Block; });
    if (!hasRoom()) {
        if (m_policy == Policy::Refuse) return false;
        ++m_dropped;
        if (!dropOldest()) return true;
    }
    const std::shared_ptr<Result> result = reserved(number);
    lock.unlock();
    try {
        fill(*result, frame, stream);
    } catch (...) {
        lock.lock();
        remove(result);
        lock.unlock();
        m_workCame.notify_one(); // of what stands behind it
        m_changed.notify_all();
        throw;
    }
    lock.lock();
    result->state = Result::State::Queued;
    lock.unlock();
    m_workCame.notify_one();
    if (stream) inOrder([] {}); // the caller's next work on the stream is to come after the frame's
    return true;
}

/// A result to fill, which has its place in both queues.
std::shared_ptr<Result> FrameQueue::reserved(std::int64_t number) {
    std::shared_ptr<Result> result = std::move(m_free.back());
    m_free.pop_back();
    result->number = number;
    result->state = Result::State::Filling;
    m_pending.push_back(result);
    m_work.push_back({.frame = result, .task = {}});
    return result;
}

/// Makes room. What is being computed stays, or a source that is faster than the pipeline would
/// never get an image. Returns false where all of it is.
bool FrameQueue::dropOldest() {
    const auto oldest = std::ranges::find_if(m_pending, [](const auto& result) {
        return result->state == Result::State::Queued ||
               (result->state == Result::State::Ready && result->ready.finished());
    });
    if (oldest == m_pending.end()) return false;
    remove(*oldest);
    return true;
}

/// Takes it out of both queues. NOTE: by value, as the one in the queue goes.
void FrameQueue::remove(std::shared_ptr<Result> result) {
    std::erase_if(m_work, [&](const Work& work) { return work.frame == result; });
    std::erase(m_pending, result);
    m_free.push_back(std::move(result));
}

void FrameQueue::fill(Result& result, const void* frame,
                      std::optional<device::Stream> stream) const {
    result.frame = static_cast<const std::byte*>(frame);
    result.stream = stream;
    if (stream) return;
    result.ready.synchronize(); // until then the GPU may read the former frame
    if (result.copy.bytes() != m_frameBytes)
        result.copy = Buffer(stagingMemory(m_place.backend), m_frameBytes);
    std::memcpy(result.copy.data(), frame, m_frameBytes);
    result.frame = result.copy.as<std::byte>();
}

// ---- The worker -------------------------------------------------------------------------------

bool FrameQueue::hasWork() const {
    return !m_work.empty() && (m_work.front().frame == nullptr ||
                               m_work.front().frame->state != Result::State::Filling);
}

void FrameQueue::work() {
    nameThisThread("echolux-library");
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_workCame.wait(lock, [&] { return m_ends || hasWork(); });
        if (m_ends) return;
        Work next = std::move(m_work.front());
        m_work.pop_front();
        if (next.frame == nullptr) {
            lock.unlock();
            next.task();
            lock.lock();
            continue;
        }
        next.frame->state = Result::State::Computing;
        lock.unlock();
        compute(*next.frame);
        lock.lock();
        next.frame->state = Result::State::Ready;
        lock.unlock();
        m_changed.notify_all();
        lock.lock();
    }
}

void FrameQueue::compute(Result& result) {
    try {
        selectDevice();
        shape(result);
        const std::size_t slot = m_nextSlot;
        if (m_inSlot[slot] != nullptr) m_runner.wait(static_cast<int>(slot));
        FrameJob job{.raw = result.frame, .frame = result.number, .rawStream = result.stream};
        for (std::size_t i = 0; i < result.views.size(); ++i)
            job.targets[i] = {result.views[i].data(), &result.ready};
        result.slot = m_runner.enqueue(job);
        m_inSlot[slot] = &result;
        m_nextSlot = (slot + 1) % m_inSlot.size();
        result.ready.record(m_runner.exec(result.slot));
        result.error = nullptr;
        if (m_place.backend == Backend::Cuda) return; // see timing()
        const FrameTiming& timing = m_runner.timing(result.slot);
        const std::scoped_lock lock(m_mutex);
        m_timing = timing;
    } catch (...) {
        result.error = std::current_exception();
    }
}

/// Gives the result memory for the views of the snapshot in force.
void FrameQueue::shape(Result& result) const {
    result.snapshot = m_runner.snapshot();
    const std::vector<ViewState>& views = result.snapshot->views;
    result.views.resize(views.size());
    for (std::size_t i = 0; i < views.size(); ++i) {
        const std::size_t bytes = result.snapshot->outputOf(views[i].source).bytes();
        if (result.views[i].bytes() == bytes) continue;
        result.ready.synchronize();
        result.views[i] = Buffer(computeMemory(m_place.backend), bytes);
    }
}

/// Has the worker run the task after all that was pushed before; throws what the task throws.
void FrameQueue::inOrder(const std::function<void()>& task) {
    std::packaged_task<void()> packaged([&] {
        selectDevice();
        task();
    });
    std::future<void> done = packaged.get_future();
    {
        const std::scoped_lock lock(m_mutex);
        m_work.push_back({.frame = nullptr, .task = std::move(packaged)});
    }
    m_workCame.notify_one();
    done.get();
}

void FrameQueue::flush() {
    inOrder([this] {
        for (std::size_t i = 0; i < m_inSlot.size(); ++i)
            if (m_inSlot[i] != nullptr) m_runner.wait(static_cast<int>(i));
    });
}

void FrameQueue::restart() {
    inOrder([this] { m_runner.reset(); });
}

void FrameQueue::edit(const std::function<SnapshotPtr(const Snapshot& from)>& make) {
    inOrder([&] {
        const std::uint64_t builds = m_runner.builds();
        m_runner.apply(make(*m_runner.snapshot()));
        if (m_runner.builds() != builds) { // it begins again with the first slot
            m_nextSlot = 0;
            m_inSlot.assign(m_inSlot.size(), nullptr);
        }
        const std::scoped_lock lock(m_mutex);
        m_snapshot = m_runner.snapshot();
        m_steps = m_runner.steps();
    });
}

std::vector<Step> FrameQueue::steps() const {
    const std::scoped_lock lock(m_mutex);
    return m_steps;
}

FrameTiming FrameQueue::timing() {
    const std::shared_ptr<const Result> result = taken();
    if (m_place.backend == Backend::Cuda && result != nullptr) {
        inOrder([&] { // the times of a slot are those of this frame until another is enqueued there
            if (m_inSlot.at(static_cast<std::size_t>(result->slot)) != result.get()) return;
            m_runner.wait(result->slot);
            const FrameTiming& timing = m_runner.timing(result->slot);
            const std::scoped_lock lock(m_mutex);
            m_timing = timing;
        });
    }
    const std::scoped_lock lock(m_mutex);
    return m_timing;
}

// ---- Results ----------------------------------------------------------------------------------

bool FrameQueue::take(double seconds, bool complete) {
    constexpr double kLongestWait = 1e6;
    std::unique_lock lock(m_mutex);
    const auto isReady = [&] {
        return !m_pending.empty() && m_pending.front()->state == Result::State::Ready;
    };
    if (complete) {
        const auto wait = std::chrono::duration<double>(std::clamp(seconds, 0.0, kLongestWait));
        m_changed.wait_for(lock, wait, isReady);
    } else {
        m_changed.wait(lock, [&] { return m_pending.empty() || isReady(); });
    }
    if (!isReady()) return false;
    std::shared_ptr<Result> result = std::move(m_pending.front());
    m_pending.pop_front();
    m_changed.notify_all();
    if (result->error != nullptr) {
        m_free.push_back(result);
        std::rethrow_exception(std::exchange(result->error, nullptr));
    }
    if (m_taken != nullptr) m_free.push_back(std::move(m_taken));
    m_taken = result;
    lock.unlock();
    if (!complete) return true;
    selectDevice();
    result->ready.synchronize();
    return true;
}

std::shared_ptr<const Result> FrameQueue::taken() const {
    const std::scoped_lock lock(m_mutex);
    return m_taken;
}

void FrameQueue::copy(std::size_t view, void* out) const {
    const std::shared_ptr<const Result> result = taken();
    const Buffer& from = result->views[view];
    selectDevice();
    const Exec exec{m_place.backend, m_copying.get()};
    result->ready.blockStream(exec);
    download(exec, out, from.data(), from.bytes());
    m_copying.synchronize();
}

} // namespace echolux::library
