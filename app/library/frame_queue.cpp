// SPDX-License-Identifier: GPL-3.0-or-later
// Pushes, takes and edits.
#include "app/library/frame_queue.hpp"

#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace echolux::library {
namespace {

constexpr int kMostSlots = 3; ///< more frames in flight gain nothing

int slotsFor(int waiting) { return std::clamp(waiting, 1, kMostSlots); }

} // namespace

FrameQueue::FrameQueue(BackendChoice place, SnapshotPtr snapshot, int waiting)
    : m_place(std::move(place)), m_waiting(static_cast<std::size_t>(waiting)),
      m_runner(m_place.backend, slotsFor(waiting)), m_copying(m_place.backend, "results"),
      m_snapshot(snapshot) {
    m_runner.apply(snapshot);
    const auto slots = static_cast<std::size_t>(m_runner.slotCount());
    m_isUsed.assign(slots, false);
    for (std::size_t i = 0; m_place.backend == Backend::Cuda && i < slots; ++i)
        m_staging.emplace_back(stagingMemory(m_place.backend), snapshot->input.bytes());
    // One more than may wait: the one that is taken.
    for (std::size_t i = 0; i <= m_waiting; ++i) {
        auto result = std::make_shared<Result>();
        result->ready = Event(m_place.backend, false);
        m_free.push_back(std::move(result));
    }
}

FrameQueue::~FrameQueue() {
    try {
        selectDevice();
        m_runner.drain();
    } catch (const Error&) { // a broken device has nothing left to wait for
    }
}

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

/// A result to compute into; null where the queue is full and refuses.
std::shared_ptr<Result> FrameQueue::freeResult() {
    std::unique_lock lock(m_mutex);
    const auto hasRoom = [&] { return m_pending.size() < m_waiting && !m_free.empty(); };
    if (!hasRoom() && m_policy == Policy::Refuse) return nullptr;
    m_changed.wait(lock, [&] { return hasRoom() || m_policy == Policy::Drop; });
    if (!hasRoom()) { // NOTE: its memory is written again once its event has passed
        m_free.push_back(std::move(m_pending.front()));
        m_pending.pop_front();
        ++m_dropped;
    }
    std::shared_ptr<Result> result = std::move(m_free.back());
    m_free.pop_back();
    return result;
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

bool FrameQueue::push(const void* frame, std::int64_t number,
                      std::optional<device::Stream> stream) {
    const std::scoped_lock engine(m_engine);
    selectDevice();
    std::shared_ptr<Result> result = freeResult();
    if (result == nullptr) return false;
    try {
        shape(*result);
        const std::size_t slot = m_nextSlot;
        if (m_isUsed[slot]) m_runner.wait(static_cast<int>(slot));
        FrameJob job{.raw = static_cast<const std::byte*>(frame), .frame = number};
        if (stream) {
            job.rawStream = stream;
        } else if (!m_staging.empty()) {
            std::memcpy(m_staging[slot].data(), frame, result->snapshot->input.bytes());
            job.raw = m_staging[slot].as<std::byte>();
        }
        for (std::size_t i = 0; i < result->views.size(); ++i)
            job.targets[i] = {result->views[i].data(), &result->ready};
        result->number = number;
        result->slot = m_runner.enqueue(job);
        m_isUsed[slot] = true;
        m_nextSlot = (slot + 1) % m_isUsed.size();
        result->ready.record(m_runner.exec(result->slot));
        if (m_place.backend == Backend::Cpu) m_timing = m_runner.timing(result->slot);
    } catch (...) {
        const std::scoped_lock lock(m_mutex);
        m_free.push_back(std::move(result));
        m_changed.notify_all();
        throw;
    }
    const std::scoped_lock lock(m_mutex);
    m_pending.push_back(std::move(result));
    m_changed.notify_all();
    return true;
}

bool FrameQueue::take(double seconds, bool complete) {
    constexpr double kLongestWait = 1e6;
    std::shared_ptr<Result> result;
    {
        std::unique_lock lock(m_mutex);
        const auto wait = std::chrono::duration<double>(std::clamp(seconds, 0.0, kLongestWait));
        if (!m_changed.wait_for(lock, wait, [&] { return !m_pending.empty(); })) return false;
        result = std::move(m_pending.front());
        m_pending.pop_front();
        if (m_taken != nullptr) m_free.push_back(std::move(m_taken));
        m_taken = result;
        m_changed.notify_all();
    }
    if (!complete || m_place.backend == Backend::Cpu) return true;
    selectDevice();
    result->ready.synchronize();
    // The times of a slot are those of this frame as long as no other was enqueued there.
    const std::unique_lock engine(m_engine, std::try_to_lock);
    const auto ahead =
        m_isUsed.size() == 1 ? 0 : (m_nextSlot + m_isUsed.size() - 1) % m_isUsed.size();
    if (engine.owns_lock() && static_cast<std::size_t>(result->slot) == ahead)
        m_timing = m_runner.timing(result->slot);
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

void FrameQueue::flush() {
    const std::scoped_lock engine(m_engine);
    selectDevice();
    for (std::size_t i = 0; i < m_isUsed.size(); ++i)
        if (m_isUsed[i]) m_runner.wait(static_cast<int>(i));
}

void FrameQueue::restart() {
    const std::scoped_lock engine(m_engine);
    m_runner.reset();
}

void FrameQueue::edit(const std::function<SnapshotPtr(const Snapshot& from)>& make) {
    const std::scoped_lock engine(m_engine);
    selectDevice();
    const std::uint64_t builds = m_runner.builds();
    m_runner.apply(make(*m_runner.snapshot()));
    if (m_runner.builds() != builds) { // it begins again with the first slot
        m_nextSlot = 0;
        m_isUsed.assign(m_isUsed.size(), false);
    }
    const std::scoped_lock lock(m_mutex);
    m_snapshot = m_runner.snapshot();
}

std::vector<Step> FrameQueue::steps() const {
    const std::scoped_lock engine(m_engine);
    return m_runner.steps();
}

FrameTiming FrameQueue::timing() const {
    const std::scoped_lock engine(m_engine);
    return m_timing;
}

} // namespace echolux::library
