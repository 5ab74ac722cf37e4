// SPDX-License-Identifier: GPL-3.0-or-later
// A bounded list of the newest traces.
#include "app/session/stream/frame_traces.hpp"

#include <algorithm>

namespace echolux {

void FrameTraces::add(const FrameTrace& trace) {
    const std::lock_guard lock(m_mutex);
    m_traces[m_count++ % kMost] = trace;
}

void FrameTraces::presented(std::uint64_t serial, Clock::time_point at) {
    const std::lock_guard lock(m_mutex);
    for (std::size_t i = 0; i < std::min(m_count, kMost); ++i) {
        if (m_traces[i].serial == serial) m_traces[i].shown = at;
    }
}

std::vector<FrameTrace> FrameTraces::latest() const {
    const std::lock_guard lock(m_mutex);
    std::vector<FrameTrace> traces;
    for (std::size_t i = m_count - std::min(m_count, kMost); i < m_count; ++i)
        traces.push_back(m_traces[i % kMost]);
    return traces;
}

void readTrace(Runner& runner, int slot, FrameTrace& trace) {
    const FrameTiming& timing = runner.timing(slot);
    trace.slot = slot;
    trace.startedAt = timing.startedAt;
    trace.uploadMs = timing.uploadMs;
    trace.steps.resize(timing.stepMs.size());
    trace.ids.resize(timing.stepMs.size());
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
        trace.steps[i] = {runner.laneOf(i), timing.stepStartMs[i], timing.stepMs[i]};
        const Step& step = runner.steps()[i];
        trace.ids[i].resize(step.stages.size());
        for (std::size_t k = 0; k < step.stages.size(); ++k)
            trace.ids[i][k] = runner.snapshot()->stages[step.stages[k]].id;
    }
}

} // namespace echolux
