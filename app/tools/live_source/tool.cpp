// SPDX-License-Identifier: GPL-3.0-or-later
// Writes counters as texts.
#include "app/tools/live_source/tool.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/tools/live_source/losses_plot.hpp"
#include "app/tools/live_source/panel.hpp"
#include "ui/controls/number_text.hpp"

namespace echolux {
namespace {

QString countText(std::uint64_t count) { return numberText(static_cast<double>(count), 0); }

QString countText(std::uint64_t count, double perS) {
    return QString("%1   %2 /s").arg(countText(count), numberText(perS, perS < 100.0 ? 1 : 0));
}

QString ageText(double seconds) {
    return seconds < 1.0 ? numberText(seconds * 1e3, 0) + " ms old"
                         : numberText(seconds, 1) + " s old";
}

QString stateText(const LiveCounters& live, const RecordingInfo& info) {
    const QString name = QString::fromStdString(info.path.string());
    switch (live.state) {
    case LiveState::Running: return name + " runs.";
    case LiveState::Silent: return name + " is silent: no frame comes.";
    case LiveState::Changed:
    case LiveState::Ended: return name + ": " + QString::fromStdString(live.reason);
    }
    return {};
}

} // namespace

namespace tools {

ToolType live_source();
ToolType live_source() {
    return toolType<LiveSourcePanel, LiveSourceTool>("live_source", "Live source");
}

} // namespace tools

LiveSourceTool::LiveSourceTool(LiveSourcePanel& panel, Workbench& bench)
    : m_panel(panel), m_bench(bench) {
    connect(&bench, &Workbench::recordingChanged, this, &LiveSourceTool::recordingChanged);
    connect(&bench, &Workbench::measured, this, &LiveSourceTool::show);
    connect(&panel, &LiveSourcePanel::parameterChosen, &bench,
            [&bench](const QString& key, double value) {
                bench.setLiveParameter(key.toStdString(), value);
            });
    m_sinceStart.start();
}

void LiveSourceTool::recordingChanged() {
    m_panel.plot().clear();
    m_panel.setParameters(m_bench.liveParameters());
    if (m_bench.isOpen() && !m_bench.recording().live) {
        m_panel.setState("A file is open, no live source.", false);
        m_panel.clearCounts();
    }
}

void LiveSourceTool::show(const Statistics& now) {
    if (!now.live) return;
    const LiveCounters& live = *now.live;
    const auto memory = live.withoutRoom + live.malformed;
    m_panel.plot().add(
        {1e-3 * static_cast<double>(m_sinceStart.elapsed()),
         {static_cast<double>(live.kept + live.whileHeld), static_cast<double>(live.lostAtSource),
          static_cast<double>(memory), static_cast<double>(now.framesDropped),
          static_cast<double>(now.framesShown)}});
    if (!m_panel.isSeen()) return;
    const RecordingInfo& info = m_bench.recording();
    m_panel.setState(stateText(live, info), live.state != LiveState::Running);
    m_panel.setCount("age", ageText(live.ageS), live.state == LiveState::Silent);
    m_panel.setCount("came", countText(live.kept, now.readPerS));
    m_panel.setCount("source", countText(live.lostAtSource), live.lostAtSource > 0);
    m_panel.setCount("malformed", countText(live.malformed), live.malformed > 0);
    m_panel.setCount("room", countText(live.withoutRoom), live.withoutRoom > 0);
    m_panel.setCount("held", countText(live.whileHeld));
    m_panel.setCount("left", countText(now.framesDropped));
    m_panel.setCount("shown", countText(now.framesShown, now.shownPerS));
    QStringList readouts;
    for (const auto& [name, text] : m_bench.liveReadouts())
        readouts << QString::fromStdString(name + ": " + text);
    m_panel.setReadouts(readouts);
    m_panel.setCount("kept", QString("up to %1 frames, %2 MB")
                                 .arg(live.mostKept)
                                 .arg(numberText(static_cast<double>(live.memoryBytes) * 1e-6, 0)));
}

} // namespace echolux
