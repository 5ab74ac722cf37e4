// SPDX-License-Identifier: GPL-3.0-or-later
// Times between the marks of a frame.
#include "app/pipeline/frame_timer.hpp"

#include <algorithm>
#include <utility>

namespace echolux {

void FrameTimer::begin(std::size_t steps) {
    m_stepMs.assign(steps, 0.0);
    m_stepStartMs.assign(steps, 0.0);
}

/// The start of a frame on the host's clock; call it once per frame. On CUDA it counts from the
/// start of the frame read before, because events give their distance in single precision, which is
/// inexact for long times. A frame begins after it was enqueued and ends before it is read; these
/// limits keep the device's clock near the host's.
std::chrono::steady_clock::time_point FrameTimer::startOf(FrameSlot& slot) {
    using Clock = std::chrono::steady_clock;
    if (m_backend != Backend::Cuda) return slot.cpuMarks[Schedule::kStartMark];
    const auto fromMs = [](double ms) {
        return std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double, std::milli>(ms));
    };
    // NOTE: captured work does not record this mark, so it may be exchanged for another event.
    Event& start = slot.marks[Schedule::kStartMark];
    const Clock::time_point latest = Clock::now() - fromMs(slot.timing.totalMs);
    Clock::time_point at = slot.enqueuedAt;
    if (m_referenceAt)
        at = *m_referenceAt + fromMs(device::elapsedMs(m_reference.get(), start.get()));
    at = std::clamp(at, slot.enqueuedAt, std::max(slot.enqueuedAt, latest));
    std::swap(m_reference, start);
    m_referenceAt = at;
    return at;
}

const FrameTiming& FrameTimer::read(FrameSlot& slot, const Schedule& schedule) {
    FrameTiming& timing = slot.timing;
    if (std::exchange(slot.isRead, true)) return timing;
    timing.isStepwise = slot.isTimed;
    timing.uploadMs = slot.msBetween(Schedule::kStartMark, Schedule::kUploadMark);
    timing.totalMs = slot.msBetween(Schedule::kStartMark, schedule.endMark);
    for (std::size_t i = 0; slot.isTimed && i < schedule.tasks.size(); ++i) {
        const Task& task = schedule.tasks[i];
        m_stepMs[i] = slot.msBetween(task.startMark, task.endMark);
        m_stepStartMs[i] = slot.msBetween(Schedule::kStartMark, task.startMark);
    }
    timing.stepMs = m_stepMs;
    timing.stepStartMs = m_stepStartMs;
    timing.startedAt = startOf(slot);
    return timing;
}

} // namespace echolux
