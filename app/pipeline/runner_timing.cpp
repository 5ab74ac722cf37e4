// SPDX-License-Identifier: GPL-3.0-or-later
// Marks between the steps of a frame, and the times between them.
#include "app/pipeline/runner.hpp"

#include <algorithm>
#include <utility>

namespace echolux {

void Runner::mark(Slot& slot, std::size_t index, const Exec& exec) const {
    if (m_isCapturing) {
        if (slot.isTimed) slot.marks[index].recordInGraph(exec);
    } else if (m_backend == Backend::Cuda) {
        slot.marks[index].record(exec);
    } else {
        slot.cpuMarks[index] = std::chrono::steady_clock::now();
    }
}

double Runner::msBetween(const Slot& slot, std::size_t from, std::size_t to) const {
    if (m_backend == Backend::Cuda)
        return device::elapsedMs(slot.marks[from].get(), slot.marks[to].get());
    return std::chrono::duration<double, std::milli>(slot.cpuMarks[to] - slot.cpuMarks[from])
        .count();
}

/// The start of a frame on the host's clock; call it once per frame. On CUDA it counts from the
/// start of the frame read before, because events give their distance in single precision, which is
/// inexact for long times. A frame begins after it was enqueued and ends before it is read; these
/// limits keep the device's clock near the host's.
std::chrono::steady_clock::time_point Runner::startOf(Slot& slot) {
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

const FrameTiming& Runner::timing(int index) {
    Slot& slot = slotAt(index);
    FrameTiming& timing = slot.timing;
    if (std::exchange(slot.isRead, true)) return timing;
    timing.isStepwise = slot.isTimed;
    timing.uploadMs = msBetween(slot, Schedule::kStartMark, Schedule::kUploadMark);
    timing.totalMs = msBetween(slot, Schedule::kStartMark, m_schedule.endMark);
    for (std::size_t i = 0; slot.isTimed && i < m_schedule.tasks.size(); ++i) {
        const Task& task = m_schedule.tasks[i];
        m_stepMs[i] = msBetween(slot, task.startMark, task.endMark);
        m_stepStartMs[i] = msBetween(slot, Schedule::kStartMark, task.startMark);
    }
    timing.stepMs = m_stepMs;
    timing.stepStartMs = m_stepStartMs;
    timing.startedAt = startOf(slot);
    return timing;
}

} // namespace echolux
