// SPDX-License-Identifier: GPL-3.0-or-later
// Makes boxes, ports and links of a snapshot, and finds the stages that are timed together.
#include "app/tools/graph/pipeline_graph.hpp"

#include "app/desktop/workbench/label_text.hpp"
#include "app/desktop/workbench/recording_text.hpp"
#include "app/session/checked_image.hpp"
#include "gpu/stage/registry.hpp"

#include <algorithm>

namespace echolux {
namespace {

constexpr char kViewMark = '@'; ///< no id of a stage begins with it
const QString kViewPort = QStringLiteral("image");

QString text(const std::string& from) { return QString::fromStdString(from); }

QString groupOf(const Port& port) {
    const auto has = [&](AxisName name) { return std::ranges::count(port.axes, name) > 0; };
    const bool isRealOnly = port.dtypes.size() == 1;
    if (port.axes.empty() ? !isRealOnly : has(AxisName::Channel) || has(AxisName::Transmit))
        return "Ultrasound";
    // The first axis of spectra, and of images made from them, counts lines.
    const bool isOct = !port.axes.empty() && port.axes.front() == AxisName::Lateral;
    return isOct ? "OCT" : "Image";
}

GraphLink linkFrom(const Snapshot& snapshot, Source source, const QString& to,
                   const QString& port) {
    const PortName output = outputName(snapshot, source);
    return {text(output.stage), to, port, source.output > 0 ? text(output.port) : QString(),
            source.ofFrameBefore};
}

/// The stages that still exist.
std::vector<std::size_t> stagesOf(const Snapshot& snapshot, const StageDuration& duration) {
    std::vector<std::size_t> stages;
    for (const std::string& id : duration.ids) {
        const auto at = std::ranges::find(snapshot.stages, id, &StageState::id);
        if (at != snapshot.stages.end())
            stages.push_back(static_cast<std::size_t>(at - snapshot.stages.begin()));
    }
    return stages;
}

} // namespace

QHash<QString, QString> bypassReasons(const Snapshot& snapshot) {
    QHash<QString, QString> reasons;
    for (const StageState& stage : snapshot.stages) {
        if (stage.bypass) continue;
        const QString id = text(stage.id);
        if (!stage.type->bypassable) {
            reasons[id] = "This stage changes the shape of frames, so the stages after it need it.";
            continue;
        }
        try {
            checkedImage(withBypass(snapshot, stage.id, true));
        } catch (const Error& error) {
            reasons[id] = inLabels(error.what(), snapshot);
        }
    }
    return reasons;
}

StageTimes timesOf(const Snapshot& snapshot, const std::vector<StageDuration>& durations) {
    StageTimes times;
    std::vector<bool> told(snapshot.stages.size(), false);
    for (const StageDuration& duration : durations) {
        std::vector<std::size_t> chain = stagesOf(snapshot, duration);
        if (chain.size() != duration.ids.size()) continue;
        const bool isGroup = chain.size() > 1;
        // Several groups may begin with the same stages, because each group runs them itself.
        std::erase_if(chain, [&](std::size_t stage) { return told[stage]; });
        if (chain.empty()) continue;
        times.ms[text(snapshot.stages[chain.front()].id)] = {duration.ms.mean, duration.ms.last,
                                                             duration.ms.percentile99};
        for (const std::size_t stage : chain) {
            told[stage] = true;
            if (isGroup)
                times.together[text(snapshot.stages[stage].id)] =
                    stageLabel(snapshot, duration.ids);
        }
    }
    return times;
}

GraphModel graphOf(const Snapshot& snapshot, const QString& recording,
                   const QHash<QString, QString>& bypassReasons, const StageTimes& times) {
    GraphModel model;
    GraphNode source;
    source.id = kRecording;
    source.kind = GraphNode::Kind::Recording;
    source.label = snapshot.ensemble() == 1
                       ? recording
                       : QString("%1 (%2 frames at once)").arg(recording).arg(snapshot.ensemble());
    model.nodes.append(source);
    for (const StageState& stage : snapshot.stages) {
        GraphNode node;
        node.id = text(stage.id);
        node.label = text(stage.type->label);
        node.typeId = text(stage.type->id);
        for (std::size_t port = 0; port < stage.sources.size(); ++port) {
            node.inputs << text(stage.type->inputs[port].name);
            model.links.append(
                linkFrom(snapshot, stage.sources[port], node.id, node.inputs.back()));
        }
        node.outputs.clear();
        for (const OutputPort& port : stage.type->outputs) node.outputs << text(port.name);
        node.bypassed = stage.bypass;
        node.bypassReason = bypassReasons.value(node.id);
        node.canBypass = node.bypassReason.isEmpty();
        node.onCpu = stage.onCpu || !stage.type->hasCuda;
        node.canLeaveCpu = stage.type->hasCuda;
        node.timedAs = times.together.value(node.id);
        if (!stage.bypass) node.ms = times.ms.value(node.id);
        model.nodes.append(node);
    }
    const QStringList names = viewNames(snapshot);
    for (std::size_t i = 0; i < snapshot.views.size(); ++i) {
        const ViewState& view = snapshot.views[i];
        GraphNode node;
        node.id = QChar(kViewMark) + text(nameOf(view));
        node.kind = GraphNode::Kind::View;
        const bool isPlain = nameOf(view) == kImpliedView && view.label.empty();
        node.label = isPlain ? QStringLiteral("Image") : names[static_cast<qsizetype>(i)];
        node.inputs = {kViewPort};
        node.outputs.clear();
        model.nodes.append(node);
        model.links.append(linkFrom(snapshot, view.source, node.id, kViewPort));
    }
    return model;
}

std::optional<std::string> viewOf(const QString& node) {
    if (!node.startsWith(kViewMark)) return std::nullopt;
    return node.mid(1).toStdString();
}

QList<StageChoice> stageChoices() {
    QList<StageChoice> all;
    for (const QString& group : {QString("Ultrasound"), QString("OCT"), QString("Image")}) {
        for (const StageType* type : knownStages()) {
            if (groupOf(type->inputs[0]) == group)
                all.append({text(type->id), text(type->label), group});
        }
    }
    return all;
}

} // namespace echolux
