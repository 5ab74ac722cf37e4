// SPDX-License-Identifier: GPL-3.0-or-later
// Planning of chains and edits of snapshots.
#include "app/pipeline/snapshot.hpp"

#include "gpu/stage/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace echolux {
namespace {

bool isChannelData(const FrameSpec& spec) { return spec.find(AxisName::Channel) != nullptr; }

/// Values that the user has not touched follow the defaults of the new input.
void followDefaults(StageState& stage) {
    Params fresh = stage.type->defaultsFor(stage.input);
    for (const ParamRow& row : stage.type->table.rows()) {
        const ParamValue now = stage.params.get(row.key);
        if (now == stage.defaults.get(row.key) && now != fresh.get(row.key)) {
            stage.params.set(stage.id, row.key, fresh.get(row.key));
        }
    }
    stage.defaults = std::move(fresh);
}

void planStage(StageState& stage, const FrameSpec& input) {
    stage.input = input;
    followDefaults(stage);
    if (stage.bypass) {
        stage.plan = {input, 0};
        return;
    }
    checkPort(*stage.type, input);
    stage.plan = {};
    std::unique_ptr<Stage> planner = stage.type->create();
    stage.plan = planner->plan(input, stage.params);
}

void planFrom(Snapshot& snapshot, std::size_t first) {
    for (std::size_t i = first; i < snapshot.stages.size(); ++i) {
        planStage(snapshot.stages[i], i == 0 ? snapshot.input : snapshot.stages[i - 1].plan.output);
    }
}

std::size_t indexOf(const Snapshot& snapshot, std::string_view id) {
    const auto at = std::ranges::find(snapshot.stages, id, &StageState::id);
    if (at == snapshot.stages.end()) {
        std::vector<std::string_view> ids;
        for (const StageState& stage : snapshot.stages) ids.push_back(stage.id);
        throw Error(fmt::format("The pipeline '{}' has no stage '{}'; choose one of {}.",
                                snapshot.name, id, fmt::join(ids, ", ")));
    }
    return static_cast<std::size_t>(at - snapshot.stages.begin());
}

template <class Wanted> PipelineConfig configOf(const Snapshot& snapshot, const Wanted& wanted) {
    PipelineConfig config;
    config.name = snapshot.name;
    for (const StageState& stage : snapshot.stages) {
        StageConfig out{stage.id, stage.type->id, stage.bypass, {}};
        for (const ParamRow& row : stage.type->table.rows()) {
            if (wanted(stage, row)) out.values.emplace_back(row.key, stage.params.get(row.key));
        }
        config.stages.push_back(std::move(out));
    }
    return config;
}

} // namespace

const StageState& Snapshot::stage(std::string_view id) const { return stages[indexOf(*this, id)]; }

const StageState* Snapshot::findType(std::string_view typeId) const {
    for (const StageState& stage : stages) {
        if (stage.type->id == typeId && !stage.bypass) return &stage;
    }
    return nullptr;
}

std::vector<std::string> Snapshot::warnings() const {
    std::vector<std::string> all;
    for (const StageState& stage : stages)
        all.insert(all.end(), stage.plan.warnings.begin(), stage.plan.warnings.end());
    return all;
}

SnapshotPtr instantiate(const PipelineConfig& config, const FrameSpec& input) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->name = config.name;
    snapshot->input = input;
    FrameSpec reaching = input;
    for (const StageConfig& wanted : config.stages) {
        StageState stage;
        stage.id = wanted.id;
        stage.type = &stageType(wanted.type);
        stage.bypass = wanted.bypass;
        stage.defaults = stage.type->defaultsFor(reaching);
        stage.params = stage.defaults;
        for (const auto& [key, value] : wanted.values) stage.params.set(wanted.id, key, value);
        planStage(stage, reaching);
        reaching = stage.plan.output;
        snapshot->stages.push_back(std::move(stage));
    }
    return snapshot;
}

SnapshotPtr withValue(const Snapshot& from, std::string_view stage, std::string_view key,
                      const ParamValue& value) {
    auto next = std::make_shared<Snapshot>(from);
    const std::size_t at = indexOf(from, stage);
    next->stages[at].params.set(stage, key, value);
    planFrom(*next, at);
    return next;
}

SnapshotPtr withBypass(const Snapshot& from, std::string_view stage, bool bypass) {
    const std::size_t at = indexOf(from, stage);
    if (bypass && !from.stages[at].type->bypassable) {
        throw Error(fmt::format("Stage '{}' cannot be bypassed.", stage));
    }
    auto next = std::make_shared<Snapshot>(from);
    next->stages[at].bypass = bypass;
    planFrom(*next, at);
    return next;
}

SnapshotPtr withInput(const Snapshot& from, const FrameSpec& input) {
    auto next = std::make_shared<Snapshot>(from);
    next->input = input;
    planFrom(*next, 0);
    return next;
}

SnapshotPtr withDefaults(const Snapshot& from) {
    auto next = std::make_shared<Snapshot>(from);
    for (StageState& stage : next->stages) stage.params = stage.defaults;
    planFrom(*next, 0);
    return next;
}

PipelineConfig toConfig(const Snapshot& snapshot) {
    return configOf(snapshot, [](const StageState& stage, const ParamRow& row) {
        return stage.params.get(row.key) != stage.defaults.get(row.key);
    });
}

PipelineConfig toFullConfig(const Snapshot& snapshot) {
    return configOf(snapshot, [](const StageState&, const ParamRow&) { return true; });
}

bool differsOnlyLive(const Snapshot& from, const Snapshot& to) {
    if (!from.input.sameLayout(to.input) || from.input.acquisition != to.input.acquisition ||
        from.input.spectrometer != to.input.spectrometer) {
        return false;
    }
    return std::ranges::equal(from.stages, to.stages, [](const StageState& a, const StageState& b) {
        if (a.id != b.id || a.type != b.type || a.bypass != b.bypass) return false;
        if (a.bypass) return true;
        if (!a.plan.output.sameLayout(b.plan.output) || !a.input.sameLayout(b.input) ||
            a.plan.workspaceBytes < b.plan.workspaceBytes || a.input.axes != b.input.axes) {
            return false;
        }
        return std::ranges::all_of(a.type->table.rows(), [&](const ParamRow& row) {
            return row.kind == ParamKind::Live || a.params.get(row.key) == b.params.get(row.key);
        });
    });
}

std::string_view defaultPipelineName(const FrameSpec& input) {
    if (input.spectrometer != nullptr) return "oct";
    if (!isChannelData(input)) {
        throw Error("There is no default pipeline for frames that are neither channel data nor "
                    "spectra; name one.");
    }
    if (isComplex(input.dtype)) return "iq";
    const bool bandPassSampled = input.samplingFrequencyHz() < 2.0 * input.centreFrequencyHz;
    return bandPassSampled ? "demodulated" : "rf";
}

PipelineConfig defaultPipeline(const FrameSpec& input) {
    PipelineConfig config = shippedPipeline(defaultPipelineName(input));
    if (input.spectrometer == nullptr || !input.spectrometer->sinusoidalScan) return config;
    for (StageConfig& stage : config.stages)
        if (stage.type == "scan_correction") stage.bypass = false;
    return config;
}

} // namespace echolux
