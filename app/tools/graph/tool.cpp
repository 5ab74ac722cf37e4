// SPDX-License-Identifier: GPL-3.0-or-later
// Turns signals of the graph into edits of the pipeline.
#include "app/tools/graph/tool.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/desktop/workbench/run_notes.hpp"
#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "app/session/checked_image.hpp"
#include "gpu/stage/registry.hpp"
#include "ui/graph/graph_view.hpp"

#include <QSettings>

#include <algorithm>

namespace echolux {
namespace {

constexpr const char* kToTheRight = "graph_to_the_right";

PortName outputOf(const QString& output) {
    return toPortName(output.toStdString(), "").value_or(PortName{});
}

QString labelOfType(const QString& type) {
    return QString::fromStdString(stageType(type.toStdString()).label);
}

bool sameSwitches(const Snapshot& a, const Snapshot& b) {
    return std::ranges::equal(a.stages, b.stages, [](const StageState& x, const StageState& y) {
        return x.hasSwitchesOf(y);
    });
}

} // namespace

namespace tools {

ToolType graph();
ToolType graph() { return toolType<GraphView, GraphTool>("graph", "Graph"); }

} // namespace tools

GraphTool::GraphTool(GraphView& view, Workbench& bench) : m_view(view), m_bench(bench) {
    GraphView* graph = &view;
    graph->setStageTypes(stageChoices());
    graph->setFits([this](const QString& type, const QString& from, const QString& to,
                          const QString& port) { return fits(type, from, to, port); });
    connect(&bench, &Workbench::pipelineChanged, this, &GraphTool::syncFromPipeline);
    connect(&bench, &Workbench::measured, this,
            [this](const Statistics& now) { showTimes(now.stages); });
    connect(&bench, &Workbench::habitsRestored, this, [graph](const QSettings& store) {
        if (store.value(kToTheRight).toBool()) graph->setFlow(GraphFlow::Right);
    });
    connect(&bench, &Workbench::habitsKept, this, [graph](QSettings& store) {
        store.setValue(kToTheRight, graph->flow() == GraphFlow::Right);
    });
    connect(graph, &GraphView::bypassWanted, &bench, &Workbench::bypass);
    connect(graph, &GraphView::cpuWanted, this, [this](const QString& id, bool onCpu) {
        edit(nameOf(id) + (onCpu ? " on the CPU" : " where the others run"),
             [&](const Snapshot& now) {
                 return toConfig(*withOnCpu(now, id.toStdString(), onCpu));
             });
    });
    connect(graph, &GraphView::stageChosen, &bench, &Workbench::reveal);
    connect(graph, &GraphView::linkWanted, this, &GraphTool::link);
    connect(graph, &GraphView::insertWanted, this, &GraphTool::insert);
    connect(graph, &GraphView::removeWanted, this, [this](const QString& id) {
        edit("removing " + nameOf(id),
             [&](const Snapshot& now) { return withoutStage(now, id.toStdString()); });
    });
    connect(graph, &GraphView::retypeWanted, this, [this](const QString& id, const QString& type) {
        edit("replacing " + nameOf(id) + " by " + labelOfType(type), [&](const Snapshot& now) {
            return withType(now, id.toStdString(), type.toStdString());
        });
    });
    connect(graph, &GraphView::viewWanted, this, [this](const QString& id) {
        edit("view of " + nameOf(id),
             [&](const Snapshot& now) { return withView(now, outputOf(id)); });
    });
    connect(graph, &GraphView::viewRemoved, this, [this](const QString& id) {
        if (const auto closed = viewOf(id))
            edit("closing the view " + nameOf(id),
                 [&](const Snapshot& now) { return withoutView(now, *closed); });
    });
}

/// The name in the box.
QString GraphTool::nameOf(const QString& node) const {
    const GraphModel& model = m_view.model();
    const int index = nodeIndex(model, node);
    if (index < 0) return node;
    const GraphNode& box = model.nodes[index];
    const bool isPlain = box.kind != GraphNode::Kind::Stage || box.id == box.typeId;
    return isPlain ? box.label : box.label + " (" + box.id + ")";
}

void GraphTool::link(const QString& from, const QString& to, const QString& port) {
    edit("linking " + nameOf(from) + " to " + nameOf(to), [&](const Snapshot& now) {
        if (const auto view = viewOf(to)) return withViewOf(now, *view, outputOf(from));
        return withLink(now, outputOf(from), {port.toStdString(), to.toStdString()});
    });
}

void GraphTool::insert(const QString& type, const QString& from, const QString& to,
                       const QString& port) {
    edit("inserting " + labelOfType(type),
         [&](const Snapshot& now) { return inserted(now, type, from, to, port); });
}

PipelineConfig GraphTool::inserted(const Snapshot& now, const QString& type, const QString& from,
                                   const QString& to, const QString& port) const {
    const std::string id = type.toStdString();
    if (to.isEmpty()) return withStageAfter(now, id, outputOf(from));
    if (const auto view = viewOf(to)) return withStageBeforeView(now, id, *view);
    return withStageBefore(now, id, {port.toStdString(), to.toStdString()});
}

bool GraphTool::fits(const QString& type, const QString& from, const QString& to,
                     const QString& port) const {
    if (!m_bench.isOpen()) return false;
    const Snapshot& now = *m_bench.snapshot();
    try {
        imagingSnapshot(now.input, inserted(now, type, from, to, port));
    } catch (const Error&) {
        return false;
    }
    return true;
}

void GraphTool::edit(const QString& what,
                     const std::function<PipelineConfig(const Snapshot&)>& make) {
    if (!m_bench.isOpen()) return;
    const SnapshotPtr before = m_bench.snapshot();
    if (!m_bench.editPipeline(what, make)) return;
    for (const StageState& stage : m_bench.snapshot()->stages) {
        if (std::ranges::count(before->stages, stage.id, &StageState::id) > 0) continue;
        const QString id = QString::fromStdString(stage.id);
        m_view.setChosen(id);
        m_bench.reveal(id);
    }
}

void GraphTool::syncFromPipeline() {
    const SnapshotPtr now = m_bench.snapshot();
    const QString recording = QString::fromStdString(m_bench.recording().path.filename().string());
    const bool alike = m_shown && sameGraph(*m_shown, *now) && sameSwitches(*m_shown, *now) &&
                       m_shown->input.sameLayout(now->input) && recording == m_recording;
    if (alike) return;
    if (recording != m_recording) m_times = {};
    m_shown = now;
    m_recording = recording;
    m_reasons = bypassReasons(*now);
    show();
}

void GraphTool::show() {
    GraphModel model = graphOf(*m_shown, m_recording, m_reasons, m_times);
    const auto notes = runNotes(*m_bench.snapshot(), m_bench.backend().backend);
    for (GraphNode& node : model.nodes) node.note = notes.value(node.id);
    m_view.setModel(model);
}

void GraphTool::showTimes(const std::vector<StageDuration>& durations) {
    if (!m_shown) return;
    StageTimes now = timesOf(*m_shown, durations);
    const bool alike = now.together == m_times.together && now.ms.size() == m_times.ms.size() &&
                       std::ranges::all_of(m_times.ms.keys(), [&](const QString& stage) {
                           return now.ms.contains(stage);
                       });
    m_times = std::move(now);
    if (alike) {
        m_view.setTimes(m_times.ms);
    } else {
        show(); // other stages run together now
    }
}

} // namespace echolux
