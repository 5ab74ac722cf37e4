// SPDX-License-Identifier: GPL-3.0-or-later
// Frames on CUDA that repeat the work of earlier frames: captured once, launched as one.
#include "app/pipeline/runner.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace echolux {

void Runner::setCapturing(bool allowed) {
    m_mayCapture = allowed;
    drain();
    forgetCaptured();
}

void Runner::forgetCaptured() {
    for (FrameSlot& slot : m_slots) slot.seen.clear();
}

/// After a live edit. Captured work then takes over the new constants, at the next frame of its
/// kind.
void Runner::markCapturedStale() {
    for (FrameSlot& slot : m_slots) {
        for (SeenFrame& seen : slot.seen) seen.isStale = true;
    }
}

/// Everything besides the snapshot that determines the frame's work.
FrameKey Runner::keyOf(const FrameSlot& slot, const FrameJob& job) const {
    FrameKey key;
    key.isTimed = slot.isTimed;
    for (std::size_t i = 0; i < m_program.schedule.views.size(); ++i)
        if (m_program.writesTo(job.targets[i], i)) key.targets[i] = job.targets[i].pixels;
    if (!hasPast()) return key;
    key.series = slot.place.series;
    key.parity = slot.place.parity();
    key.hasPast = slot.place.hasPast();
    return key;
}

/// Empty where the frame's work cannot be captured. `former` is work of the same kind from before
/// an edit, or empty.
CapturedWork Runner::capture(FrameSlot& slot, const FrameJob& job, CapturedWork former) {
    const Exec on = slot.exec();
    device::beginCapture(on.stream);
    slot.isCaptured = true;
    bool failed = false;
    try {
        enqueueTasks(slot, job);
    } catch (const Error& error) {
        spdlog::info("Frames are enqueued step by step: {}", error.what());
        failed = true;
    }
    slot.isCaptured = false;
    CapturedWork work(device::endCapture(on.stream, former.release()));
    return failed ? CapturedWork() : std::move(work);
}

/// False where the frame must be enqueued step by step, because it is the first of its kind or
/// cannot be captured.
bool Runner::launchCaptured(FrameSlot& slot, const FrameJob& job) {
    if (!m_program.isRepeated || !m_mayCapture || m_captureFailed) return false;
    const FrameKey key = keyOf(slot, job);
    const auto known = std::ranges::find(slot.seen, key, &SeenFrame::key);
    if (known == slot.seen.end()) {
        constexpr std::size_t kMostKinds = 32; // images of a mailbox times states
        if (slot.seen.size() == kMostKinds) slot.seen.erase(slot.seen.begin());
        slot.seen.push_back({key, {}});
        return false;
    }
    if (!known->work.isEmpty() && !known->isStale) {
        countCrossings();
    } else {
        known->work = capture(slot, job, std::move(known->work));
        known->isStale = false;
        m_captureFailed = known->work.isEmpty();
        if (m_captureFailed) return false;
        ++m_captures;
    }
    aim(slot, job);
    const Exec on = slot.exec();
    for (const Worker& worker : m_workers) worker.order.blockStream(on);
    known->work.launch(on);
    for (const Worker& worker : m_workers) worker.order.record(on);
    ++m_capturedFrames;
    return true;
}

} // namespace echolux
