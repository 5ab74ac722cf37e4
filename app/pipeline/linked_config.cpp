// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the links of a config, by the names and places of wire().
#include "app/pipeline/linked_config.hpp"

#include "app/pipeline/snapshot.hpp"
#include "app/pipeline/wiring.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace echolux {

PipelineConfig linked(const PipelineConfig& config) {
    const Wiring wiring = wire(config);
    PipelineConfig result = config;
    result.stages.clear();
    result.links.clear();
    for (const std::size_t at : wiring.order) result.stages.push_back(config.stages[at]);
    const auto nameOfSource = [&](Source source) -> PortName {
        if (source.isRecording()) return {kRecordingPort, kRecording};
        const StageConfig& stage = result.stages[source.stage];
        return {stageType(stage.type).outputs[source.output].name, stage.id};
    };
    for (std::size_t i = 0; i < result.stages.size(); ++i) {
        const StageConfig& stage = result.stages[i];
        const StageType& type = stageType(stage.type);
        for (std::size_t port = 0; port < type.inputs.size(); ++port) {
            const Source source = wiring.inputs[i][port];
            result.links.push_back({nameOfSource(source),
                                    {type.inputs[port].name, stage.id},
                                    {},
                                    source.ofFrameBefore});
        }
    }
    if (result.views.empty())
        result.views.push_back({kImpliedView, "", nameOfSource(wiring.views.front()), {}});
    return result;
}

void takeOut(PipelineConfig& config, const std::string& id) {
    const auto stage = std::ranges::find(config.stages, id, &StageConfig::id);
    if (stage == config.stages.end()) throw Error(fmt::format("There is no stage '{}'.", id));
    const PortName input{stageType(stage->type).inputs[0].name, id};
    const auto link = std::ranges::find(config.links, input, &LinkConfig::to);
    if (link == config.links.end())
        throw Error(fmt::format("There is no input {}.", toText(input)));
    const PortName before = link->from;
    config.stages.erase(stage);
    std::erase_if(config.links, [&](const LinkConfig& each) { return each.to.stage == id; });
    for (LinkConfig& each : config.links)
        if (each.from.stage == id) each.from = before;
    for (ViewConfig& each : config.views)
        if (each.from.stage == id) each.from = before;
}

PipelineConfig onlyView(PipelineConfig config, ViewConfig view) {
    view.over.clear();
    config.views = {std::move(view)};
    config = linked(config);
    std::set<std::string> wanted{config.views.front().from.stage};
    for (bool grows = true; grows;) { // one round suffices without links of the frame before
        const std::size_t before = wanted.size();
        for (auto link = config.links.rbegin(); link != config.links.rend(); ++link)
            if (wanted.contains(link->to.stage)) wanted.insert(link->from.stage);
        grows = wanted.size() > before;
    }
    std::erase_if(config.stages,
                  [&](const StageConfig& stage) { return !wanted.contains(stage.id); });
    std::erase_if(config.links,
                  [&](const LinkConfig& link) { return !wanted.contains(link.to.stage); });
    return config;
}

} // namespace echolux
