// SPDX-License-Identifier: GPL-3.0-or-later
// Shows statistics as readouts.
#include "app/tools/performance/tool.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/desktop/workbench/timing_text.hpp"
#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "ui/performance/performance_panel.hpp"

#include <algorithm>
#include <utility>

namespace echolux {

namespace tools {

ToolType performance();
ToolType performance() {
    return toolType<PerformancePanel, PerformanceTool>("performance", "Performance",
                                                       ToolType::Place::Open);
}

} // namespace tools

PerformanceTool::PerformanceTool(PerformancePanel& panel, Workbench& bench)
    : m_panel(panel), m_bench(bench) {
    connect(&panel, &PerformancePanel::separatelyToggled, &bench, &Workbench::timeSeparately);
    connect(&bench, &Workbench::measured, this, &PerformanceTool::show);
    connect(&bench, &Workbench::measuredTheSame, this, &PerformanceTool::rest);
    m_sinceStart.start();
}

void PerformanceTool::show(const Statistics& now) {
    m_traced = m_panel.isTimelineInSight();
    m_bench.traceFrames(m_traced);
    if (std::exchange(m_rests, false)) { // the histories keep the former figures until now
        m_readouts.timeS = seconds() - 1e-3 * Workbench::kMeasuringPeriodMs;
        m_panel.setReadouts(m_readouts);
    }
    m_shown = now;
    m_readouts = readoutsOf(now);
    m_panel.setReadouts(m_readouts);
    if (m_traced) m_panel.setTimeline(timelineOf(*m_bench.snapshot(), m_bench.traces()));
}

void PerformanceTool::rest() {
    if (m_panel.isTimelineInSight() != m_traced) return show(m_shown);
    m_rests = true;
}

double PerformanceTool::seconds() const {
    return static_cast<double>(m_sinceStart.elapsed()) * 1e-3;
}

/// runNotes() of the snapshot. They are computed again only for another snapshot, because this
/// plans the steps of the pipeline. Valid until the next call.
const RunNotes& PerformanceTool::notesOf(const SnapshotPtr& snapshot) {
    if (std::exchange(m_noted, snapshot) != snapshot)
        m_notes = runNotes(*snapshot, m_bench.backend().backend);
    return m_notes;
}

Readouts PerformanceTool::readoutsOf(const Statistics& now) {
    Readouts readouts;
    readouts.timeS = seconds();
    readouts.read = static_cast<std::int64_t>(now.framesRead);
    readouts.processed = static_cast<std::int64_t>(now.framesProcessed);
    readouts.shown = static_cast<std::int64_t>(now.framesShown);
    readouts.readPerS = now.readPerS;
    readouts.processedPerS = now.processedPerS;
    readouts.shownPerS = now.shownPerS;
    readouts.dropped = static_cast<std::int64_t>(now.framesDropped);
    readouts.late = static_cast<std::int64_t>(now.framesLate);
    readouts.latencyMedianMs = now.latencyMedianMs;
    readouts.latency99Ms = now.latency99Ms;
    readouts.megabytesPerS = now.megabytesPerS;
    if (m_bench.recording().frame.spectrometer != nullptr)
        readouts.kind = m_bench.showsVolume() ? Readouts::Kind::OctVolume : Readouts::Kind::Oct;
    else if (m_bench.showsVolume())
        readouts.kind = Readouts::Kind::UltrasoundVolume;
    readouts.realTime = realTimeOf(m_bench.recording().frame, now, m_bench.isPlaying());
    readouts.ascansPerS = now.ascansPerS;
    readouts.bscansPerS = now.bscansPerS;
    readouts.volumesPerS = now.volumesPerS;
    readouts.deviceBytes = static_cast<std::int64_t>(now.gpuBytesHeld);
    readouts.deviceTotalBytes = static_cast<std::int64_t>(m_bench.backend().deviceBytes);
    readouts.recordingBytesKept = static_cast<std::int64_t>(now.recordingBytesKept);
    const double frames = std::max<double>(1.0, static_cast<double>(now.framesProcessed));
    readouts.copiesToHostPerFrame = static_cast<double>(now.deviceToHostCopies) / frames;
    readouts.allocationsPerFrame = static_cast<double>(now.allocations) / frames;
    readouts.frame = milliseconds(now.frame);
    readouts.crossingBytesPerFrame =
        static_cast<std::int64_t>(now.crossings.bytesToHost + now.crossings.bytesToDevice) /
        m_bench.snapshot()->ensemble();
    const SnapshotPtr snapshot = m_bench.snapshot();
    readouts.stages = stageTimes(*snapshot, now, notesOf(snapshot));
    readouts.separately = now.isSeparate;
    readouts.notSeparately = whyNotSeparately(now, m_bench.backend().backend);
    return readouts;
}

} // namespace echolux
