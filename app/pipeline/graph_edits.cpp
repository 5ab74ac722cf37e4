// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of a config in which every link is written.
#include "app/pipeline/graph_edits.hpp"

#include "app/pipeline/linked_config.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace echolux {
namespace {

std::string freeName(const std::string& wanted, const std::set<std::string>& taken) {
    if (!taken.contains(wanted)) return wanted;
    for (int number = 2;; ++number) {
        std::string name = fmt::format("{}_{}", wanted, number);
        if (!taken.contains(name)) return name;
    }
}

std::string freeId(const PipelineConfig& config, const std::string& wanted) {
    std::set<std::string> taken{kRecording};
    for (const StageConfig& stage : config.stages) taken.insert(stage.id);
    return freeName(wanted, taken);
}

std::string freeViewId(const PipelineConfig& config, const std::string& wanted) {
    std::set<std::string> taken;
    for (const ViewConfig& view : config.views) taken.insert(view.id);
    return freeName(wanted, taken);
}

std::vector<StageConfig>::iterator find(PipelineConfig& config, std::string_view id) {
    const auto at = std::ranges::find(config.stages, id, &StageConfig::id);
    if (at == config.stages.end()) throw Error(fmt::format("There is no stage '{}'.", id));
    return at;
}

LinkConfig& linkTo(PipelineConfig& config, const PortName& to) {
    const auto at = std::ranges::find(config.links, to, &LinkConfig::to);
    if (at == config.links.end()) throw Error(fmt::format("There is no input {}.", toText(to)));
    return *at;
}

ViewConfig& viewNamed(PipelineConfig& config, std::string_view id) {
    const auto at = std::ranges::find(config.views, id, &ViewConfig::id);
    if (at == config.views.end()) throw Error(fmt::format("There is no view '{}'.", id));
    return *at;
}

/// Inserts a stage before the one at `place` and links every port of it to `output`.
PortName insertStage(PipelineConfig& config, std::vector<StageConfig>::iterator place,
                     std::string_view typeId, const PortName& output) {
    const StageType& type = stageType(typeId);
    const StageConfig stage{freeId(config, type.id), type.id, false, {}};
    for (std::size_t port = 0; port < type.inputs.size(); ++port)
        config.links.push_back({output, {type.inputs[port].name, stage.id}});
    config.stages.insert(place, stage);
    return {kOutputPort, stage.id};
}

PortName append(PipelineConfig& config, std::string_view typeId, const PortName& output) {
    return insertStage(config, config.stages.end(), typeId, output);
}

/// Links and views that read an output of `stage` then read what `replaced` returns for it.
template <class Replaced>
void redirect(PipelineConfig& config, std::string_view stage, const Replaced& replaced) {
    for (LinkConfig& link : config.links)
        if (link.from.stage == stage) link.from = replaced(link.from);
    for (ViewConfig& view : config.views)
        if (view.from.stage == stage) view.from = replaced(view.from);
}

void checkRoom(const PipelineConfig& config) {
    if (config.views.size() >= kMostViews)
        throw Error(fmt::format("{} views are shown already; close one first.", kMostViews));
}

} // namespace

void setValue(StageConfig& stage, std::string_view key, ParamValue value) {
    std::erase_if(stage.values, [&](const auto& named) { return named.first == key; });
    stage.values.emplace_back(key, std::move(value));
}

PipelineConfig withStageBefore(const Snapshot& from, std::string_view typeId, const PortName& to) {
    PipelineConfig config = linked(toConfig(from));
    const PortName before = linkTo(config, to).from;
    const PortName output = insertStage(config, find(config, to.stage), typeId, before);
    linkTo(config, to).from = output;
    return config;
}

PipelineConfig withStageBeforeView(const Snapshot& from, std::string_view typeId,
                                   std::string_view view) {
    PipelineConfig config = linked(toConfig(from));
    PortName& shown = viewNamed(config, view).from;
    shown = append(config, typeId, shown);
    return config;
}

PipelineConfig withStageAfter(const Snapshot& from, std::string_view typeId,
                              const PortName& output) {
    PipelineConfig config = linked(toConfig(from));
    checkRoom(config);
    const PortName end = append(config, typeId, output);
    config.views.push_back({freeViewId(config, end.stage), "", end});
    return config;
}

PipelineConfig withoutStage(const Snapshot& from, std::string_view id) {
    PipelineConfig config = linked(toConfig(from));
    takeOut(config, std::string(id));
    return config;
}

PipelineConfig withType(const Snapshot& from, std::string_view id, std::string_view typeId) {
    PipelineConfig config = linked(toConfig(from));
    const StageType& type = stageType(typeId);
    const auto stage = find(config, id);
    const StageType& former = stageType(stage->type);
    const std::string name = stage->id == former.id ? freeId(config, type.id) : stage->id;
    const LinkConfig before = linkTo(config, {former.inputs[0].name, stage->id});
    std::vector<LinkConfig> sources(type.inputs.size(), before);
    for (std::size_t port = 0; port < std::min(type.inputs.size(), former.inputs.size()); ++port)
        sources[port] = linkTo(config, {former.inputs[port].name, stage->id});
    std::erase_if(config.links, [&](const LinkConfig& link) { return link.to.stage == id; });
    for (std::size_t port = 0; port < type.inputs.size(); ++port) {
        sources[port].to = {type.inputs[port].name, name};
        config.links.push_back(sources[port]);
    }
    redirect(config, id, [&, outputs = type.outputNames()](const PortName& output) {
        const bool isKnown = std::ranges::find(outputs, output.port) != outputs.end();
        return PortName{isKnown ? output.port : kOutputPort, name};
    });
    Params fits(type.table);
    std::erase_if(stage->values, [&](const auto& value) {
        try {
            fits.set(name, value.first, value.second);
            return false;
        } catch (const Error&) {
            return true;
        }
    });
    stage->type = type.id;
    stage->id = name;
    stage->bypass = stage->bypass && type.bypassable;
    return config;
}

PipelineConfig withLink(const Snapshot& from, const PortName& output, const PortName& to) {
    PipelineConfig config = linked(toConfig(from));
    linkTo(config, to).from = output;
    return config;
}

PipelineConfig withSource(const Snapshot& from, const StageConfig& stage, const PortName& taker,
                          const std::vector<OutputFor>& outputs) {
    PipelineConfig config = linked(toConfig(from));
    StageConfig added = stage;
    added.id = freeId(config, stage.id);
    LinkConfig in = linkTo(config, taker);
    in.to = {stageType(stage.type).inputs[0].name, added.id};
    for (const OutputFor& each : outputs) {
        LinkConfig& link = linkTo(config, each.to);
        link.from = {each.output, added.id};
        link.ofFrameBefore = false;
    }
    config.links.push_back(std::move(in));
    config.stages.insert(find(config, taker.stage), std::move(added));
    return config;
}

PipelineConfig withViewOf(const Snapshot& from, std::string_view view, const PortName& output) {
    PipelineConfig config = linked(toConfig(from));
    viewNamed(config, view).from = output;
    return config;
}

PipelineConfig withView(const Snapshot& from, const PortName& output) {
    PipelineConfig config = linked(toConfig(from));
    checkRoom(config);
    if (output.stage != kRecording) find(config, output.stage);
    config.views.push_back({freeViewId(config, output.stage), "", output});
    return config;
}

PipelineConfig withView(const Snapshot& from, std::string_view stage) {
    return withView(
        from, PortName{stage == kRecording ? kRecordingPort : kOutputPort, std::string(stage)});
}

PipelineConfig withoutView(const Snapshot& from, std::string_view view) {
    PipelineConfig config = linked(toConfig(from));
    if (config.views.size() == 1) throw Error("The last view stays; show another stage first.");
    const ViewConfig& closed = viewNamed(config, view);
    for (ViewConfig& each : config.views)
        if (each.over == closed.id) each.over.clear();
    config.views.erase(config.views.begin() + (&closed - config.views.data()));
    return config;
}

PipelineConfig withBranch(const Snapshot& from, std::string_view stage) {
    PipelineConfig config = linked(toConfig(from));
    checkRoom(config);
    const std::size_t first = from.indexOf(stage);
    // All stages that frames of `stage` reach by any link.
    const std::vector<bool> follows = reachedFrom(from, first);
    const Source shown = from.views.front().source;
    if (shown.isRecording() || !follows[shown.stage])
        throw Error(fmt::format("What stage '{}' computes does not reach the first view.", stage));
    std::vector<std::string> names(from.stages.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!follows[i] || !reachedFrom(from, i)[shown.stage]) continue;
        StageConfig copy = *find(config, from.stages[i].id);
        names[i] = copy.id = freeId(config, copy.id + kOfB);
        config.stages.push_back(copy);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].empty()) continue;
        for (std::size_t port = 0; port < from.stages[i].sources.size(); ++port) {
            const Source source = from.stages[i].sources[port];
            const bool own = !source.isRecording() && !names[source.stage].empty();
            config.links.push_back(
                {own ? PortName{outputName(from, source).port, names[source.stage]}
                     : outputName(from, source),
                 {from.stages[i].type->inputs[port].name, names[i]},
                 {},
                 source.ofFrameBefore});
        }
    }
    config.views.front().label = std::string("A"); // NOTE: GCC 12 warns of a plain literal
    config.views.insert(config.views.begin() + 1,
                        {freeViewId(config, config.views.front().id + kOfB),
                         "B",
                         {outputName(from, shown).port, names[shown.stage]}});
    return config;
}

PipelineConfig withDifference(const Snapshot& from, std::size_t first, std::size_t second) {
    PipelineConfig config = linked(toConfig(from));
    checkRoom(config);
    const StageType& type = stageType("compare");
    const StageConfig stage{freeId(config, type.id), type.id, false, {}};
    const auto nameOfView = [&](std::size_t view) {
        const ViewConfig& shown = config.views[view];
        return shown.label.empty() ? shown.id : shown.label;
    };
    for (std::size_t port = 0; port < type.inputs.size(); ++port)
        config.links.push_back(
            {config.views[port == 0 ? first : second].from, {type.inputs[port].name, stage.id}});
    config.views.push_back({freeViewId(config, "difference"),
                            fmt::format("{} less {}", nameOfView(first), nameOfView(second)),
                            {kOutputPort, stage.id}});
    config.stages.push_back(stage);
    return config;
}

} // namespace echolux
