// SPDX-License-Identifier: GPL-3.0-or-later
// Frames on CUDA that repeat the work of earlier frames: captured once, launched as one.
#include "app/pipeline/runner.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace echolux {

void Runner::setCapturing(bool allowed) {
    m_mayCapture = allowed;
    drain();
    forgetCaptured();
}

void Runner::forgetCaptured() {
    for (Slot& slot : m_slots) slot.seen.clear();
}

/// Everything besides the snapshot that determines the frame's work.
Runner::FrameKey Runner::keyOf(const Slot& slot, const FrameJob& job) const {
    FrameKey key;
    key.isTimed = slot.isTimed;
    for (std::size_t i = 0; i < m_schedule.views.size(); ++i) {
        const ViewTarget& target = job.targets[i];
        if (writesToTarget(i, target)) key.targets[i] = target.pixels;
    }
    if (!hasPast()) return key;
    key.series = slot.series;
    key.parity = m_frames[slot.series] % 2;
    key.hasPast = m_frames[slot.series] > 1;
    return key;
}

/// False where the frame must be enqueued step by step, because it is the first of its kind or
/// cannot be captured.
bool Runner::launchCaptured(Slot& slot, const FrameJob& job) {
    if (!m_canCapture || !m_mayCapture) return false;
    const FrameKey key = keyOf(slot, job);
    const auto known = std::ranges::find(slot.seen, key, &SeenFrame::key);
    if (known == slot.seen.end()) {
        constexpr std::size_t kMostKinds = 32; // images of a mailbox times states
        if (slot.seen.size() == kMostKinds) slot.seen.erase(slot.seen.begin());
        slot.seen.push_back({key, {}});
        return false;
    }
    const Exec on = laneOf(slot, 0);
    if (!known->work.isEmpty()) {
        countCrossings();
    } else {
        device::beginCapture(on.stream);
        m_isCapturing = true;
        try {
            enqueueTasks(slot, job);
        } catch (const Error& error) {
            spdlog::info("Frames are enqueued step by step: {}", error.what());
            m_canCapture = false;
        }
        m_isCapturing = false;
        known->work = CapturedWork(device::endCapture(on.stream));
        m_canCapture = m_canCapture && !known->work.isEmpty();
        if (!m_canCapture) return false;
        ++m_captures;
    }
    aim(slot, job);
    for (const Worker& worker : m_workers) worker.order.blockStream(on);
    known->work.launch(on);
    for (const Worker& worker : m_workers) worker.order.record(on);
    ++m_capturedFrames;
    return true;
}

} // namespace echolux
