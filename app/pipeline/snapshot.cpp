// SPDX-License-Identifier: GPL-3.0-or-later
// Plans chains and edits snapshots.
#include "app/pipeline/snapshot.hpp"

#include "app/pipeline/compared_branches.hpp"
#include "app/pipeline/filter_words.hpp"
#include "app/pipeline/pipeline_keys.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace echolux {
namespace {

/// Values that the user has not changed take the defaults for the new input.
void followDefaults(StageState& stage) {
    Params fresh = stage.type->defaultsFor(stage.input());
    for (const ParamRow& row : stage.type->table.rows()) {
        const ParamValue now = stage.params.get(row.key);
        if (now == stage.defaults.get(row.key) && now != fresh.get(row.key)) {
            stage.params.set(stage.id, row.key, fresh.get(row.key));
        }
    }
    stage.defaults = std::move(fresh);
}

/// The specification that reaches a port of the stage. The stage's first input is known. A link of
/// the frame before, whose source is not planned yet, counts as equal to the first input.
const FrameSpec& reaching(const Snapshot& snapshot, const StageState& stage, std::size_t port) {
    const Source source = stage.sources[port];
    if (!source.ofFrameBefore) return snapshot.outputOf(source);
    if (!stage.bypass && snapshot.resolved(source).isRecording()) {
        throw Error(fmt::format(
            "Stage '{}' takes the frame before at '{}', but that would be the recording's, which "
            "is not kept; switch on a stage on the way there.",
            stage.id, stage.type->inputs[port].name));
    }
    const bool isPlanned = !snapshot.stages[source.stage].plan.outputs.empty();
    return isPlanned ? snapshot.outputOf(source) : stage.input();
}

/// Throws Error where the stage cannot make this output from its input.
void checkGiven(const Snapshot& snapshot, Source source) {
    if (source.isRecording() || source.output == 0) return;
    const std::string& none = snapshot.stages[source.stage].plan.onlyFirstOutput;
    if (!none.empty()) throw Error(none);
}

/// Levels in dB are no values of a converter.
void dropConverterOfLevels(FrameSpec& output) {
    if (!output.valueRange || output.valueRange->unit != "dB") return;
    output.converterRange.reset();
    output.recordedPeak = 0.0;
}

/// Plans a stage. The inputs that reach it within a frame must be planned.
void planStage(const Snapshot& snapshot, StageState& stage) {
    for (const Source source : stage.sources) checkGiven(snapshot, source);
    stage.inputs = {snapshot.outputOf(stage.sources[0])};
    for (std::size_t port = 1; port < stage.sources.size(); ++port) {
        FrameSpec input = reaching(snapshot, stage, port);
        stage.inputs.push_back(std::move(input));
    }
    followDefaults(stage);
    stage.plan = {};
    if (stage.bypass) {
        stage.plan.outputs.assign(stage.type->outputs.size(), stage.input());
        return;
    }
    for (std::size_t port = 0; port < stage.inputs.size(); ++port)
        checkPort(*stage.type, stage.inputs[port], port);
    stage.plan = stage.type->plan(stage.inputs, stage.params);
    for (FrameSpec& output : stage.plan.outputs) dropConverterOfLevels(output);
}

/// A stage that reads an output of the previous frame and was planned with another specification
/// than this output has; null where there is none.
const StageState* unsettled(const Snapshot& snapshot) {
    for (const StageState& stage : snapshot.stages) {
        for (std::size_t port = 1; port < stage.sources.size(); ++port) {
            if (!stage.sources[port].ofFrameBefore) continue;
            const FrameSpec& taken = stage.inputs[port];
            const FrameSpec& made = snapshot.outputOf(stage.sources[port]);
            if (!taken.sameLayout(made) || taken.axes != made.axes ||
                taken.valueRange != made.valueRange)
                return &stage;
        }
    }
    return nullptr;
}

void planInOrder(Snapshot& snapshot, const std::vector<bool>& wanted) {
    for (std::size_t i = 0; i < snapshot.stages.size(); ++i)
        if (wanted[i]) planStage(snapshot, snapshot.stages[i]);
}

/// Plans again while fed-back outputs differ from what was assumed.
void settle(Snapshot& snapshot, const std::vector<bool>& wanted) {
    for (const ViewState& view : snapshot.views) checkGiven(snapshot, view.source);
    constexpr int kMostRounds = 8;
    for (int round = 0;; ++round) {
        const StageState* stage = unsettled(snapshot);
        if (stage == nullptr) return;
        if (round == kMostRounds) {
            throw Error(fmt::format("What is fed back to stage '{}' is another kind of frame each "
                                    "time round; let it pass a stage that gives it one range.",
                                    stage->id));
        }
        planInOrder(snapshot, wanted);
    }
}

void plan(Snapshot& snapshot, const std::vector<bool>& wanted) {
    for (std::size_t i = 0; i < snapshot.stages.size(); ++i)
        if (wanted[i]) snapshot.stages[i].plan = {};
    planInOrder(snapshot, wanted);
    settle(snapshot, wanted);
}

/// Plans the stage and all stages that its frames reach.
void planFrom(Snapshot& snapshot, std::size_t first) {
    plan(snapshot, reachedFrom(snapshot, first));
}

std::vector<bool> allOf(const Snapshot& snapshot) {
    return std::vector<bool>(snapshot.stages.size(), true);
}

template <class Wanted> PipelineConfig configOf(const Snapshot& snapshot, const Wanted& wanted) {
    PipelineConfig config;
    config.name = snapshot.name;
    config.environment = snapshot.environment;
    config.recording = snapshot.recording;
    if (config.recording.repeats > 0) config.recording.ensemble = 1;
    Source before;
    for (std::size_t i = 0; i < snapshot.stages.size(); ++i) {
        const StageState& stage = snapshot.stages[i];
        StageConfig out{stage.id, stage.type->id, stage.bypass, {}, {}, stage.onCpu, stage.alone};
        const PluginConfig plugin{stage.type->plugin};
        if (!plugin.library.empty() &&
            std::ranges::find(config.plugins, plugin) == config.plugins.end())
            config.plugins.push_back(plugin);
        for (const ParamRow& row : stage.type->table.rows()) {
            if (wanted(stage, row)) out.values.emplace_back(row.key, stage.params.get(row.key));
        }
        config.stages.push_back(std::move(out));
        for (std::size_t port = 0; port < stage.sources.size(); ++port) {
            if (port == 0 && stage.sources[0] == before) continue;
            config.links.push_back({outputName(snapshot, stage.sources[port]),
                                    {stage.type->inputs[port].name, stage.id},
                                    {},
                                    stage.sources[port].ofFrameBefore});
        }
        before = {i};
    }
    for (const ViewState& view : snapshot.views) {
        const bool plain = view.id.empty() || (view.id == kImpliedView && view.label.empty());
        const bool implied = snapshot.views.size() == 1 && plain && view.source == before;
        const PortName from = outputName(snapshot, view.source);
        if (implied) continue;
        config.views.push_back({nameOf(view), view.label, from, {}});
        if (view.over) config.views.back().over = nameOf(snapshot.views[*view.over]);
        config.views.back().main = view.main;
    }
    return config;
}

/// An ensemble must not mix places.
void checkPlaces(const VolumeStack& stack, std::int64_t ensemble) {
    if (stack.repeats == 1 || stack.repeats % ensemble == 0) return;
    throw Error(fmt::format("The recording holds {0} B-scans at each place, so ensembles of {1} "
                            "would mix places; write {2} = {0} under [recording].",
                            stack.repeats, ensemble, kEnsembleKey));
}

RecordingConfig resolvedFor(const FrameSpec& raw, RecordingConfig recording) {
    if (recording.repeats == 0) return recording;
    const std::int64_t known = raw.stack.repeats;
    recording.ensemble = known > 1 ? std::min(known, kMostEnsembleFrames) : recording.repeats;
    return recording;
}

/// The specification of frames as the stages receive them, gathered to ensembles.
FrameSpec gathered(const FrameSpec& raw, const RecordingConfig& recording) {
    const FrameSpec frame = oneFrameOf(raw);
    const auto frames = static_cast<std::size_t>(recording.ensemble);
    checkPlaces(frame.stack, recording.ensemble);
    FrameSpec together = ensembleOf(frame, recording.ensemble);
    if (together.bytes() == frames * frame.bytes()) return together;
    throw Error(fmt::format("The recording's frames end within a byte, so that {} of them cannot "
                            "lie one behind the other; write ensemble = 1 under [recording].",
                            frames));
}

} // namespace

std::size_t Snapshot::indexOf(std::string_view id) const {
    const auto at = std::ranges::find(stages, id, &StageState::id);
    if (at == stages.end()) {
        std::vector<std::string_view> ids;
        for (const StageState& stage : stages) ids.push_back(stage.id);
        throw Error(fmt::format("The pipeline '{}' has no stage '{}'; choose one of {}.", name, id,
                                fmt::join(ids, ", ")));
    }
    return static_cast<std::size_t>(at - stages.begin());
}

const StageState* Snapshot::findRole(Role role) const {
    return findActive([role](const StageType& type) { return type.role == role; });
}

const StageState* Snapshot::findTap(Tap tap) const {
    return findActive([tap](const StageType& type) { return type.tap == tap; });
}

std::vector<std::string> Snapshot::warnings() const {
    std::vector<std::string> all;
    for (const StageState& stage : stages)
        all.insert(all.end(), stage.plan.warnings.begin(), stage.plan.warnings.end());
    const std::vector<std::string> uneven = unevenBranches(*this);
    all.insert(all.end(), uneven.begin(), uneven.end());
    return all;
}

std::string nameOf(const ViewState& view) { return view.id.empty() ? kImpliedView : view.id; }

PortName outputName(const Snapshot& snapshot, Source source) {
    if (source.isRecording()) return {kRecordingPort, kRecording};
    const StageState& stage = snapshot.stages[source.stage];
    return {stage.type->outputs[source.output].name, stage.id};
}

std::vector<bool> reachedFrom(const Snapshot& snapshot, std::size_t first) {
    std::vector<bool> reached(snapshot.stages.size(), false);
    reached[first] = true;
    for (bool grows = true; grows;) { // one round suffices without links of the frame before
        grows = false;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            if (reached[i]) continue;
            reached[i] = std::ranges::any_of(snapshot.stages[i].sources, [&](Source source) {
                return !source.isRecording() && reached[source.stage];
            });
            grows = grows || reached[i];
        }
    }
    return reached;
}

bool StageState::readsFrameBefore() const {
    return std::ranges::any_of(sources, &Source::ofFrameBefore);
}

Source Snapshot::resolved(Source source) const {
    const bool ofFrameBefore = source.ofFrameBefore;
    while (!source.isRecording() && stages[source.stage].bypass)
        source = stages[source.stage].sources[0];
    source.ofFrameBefore = ofFrameBefore;
    return source;
}

SnapshotPtr instantiate(const PipelineConfig& config, const FrameSpec& input) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->name = config.name;
    snapshot->recording = resolvedFor(input, config.recording);
    snapshot->input = gathered(input, snapshot->recording);
    snapshot->environment = config.environment;
    const Wiring wiring = wire(config);
    for (std::size_t i = 0; i < wiring.order.size(); ++i) {
        const StageConfig& wanted = config.stages[wiring.order[i]];
        StageState stage;
        stage.id = wanted.id;
        stage.type = &stageType(wanted.type);
        stage.bypass = wanted.bypass;
        stage.onCpu = wanted.onCpu;
        stage.alone = wanted.alone;
        stage.sources = wiring.inputs[i];
        snapshot->stages.push_back(std::move(stage));
    }
    for (std::size_t i = 0; i < wiring.order.size(); ++i) {
        const StageConfig& wanted = config.stages[wiring.order[i]];
        StageState& stage = snapshot->stages[i];
        stage.defaults = stage.type->defaultsFor(snapshot->outputOf(stage.sources[0]));
        stage.params = stage.defaults;
        try {
            for (const auto& [key, value] : wanted.values) stage.params.set(wanted.id, key, value);
            planStage(*snapshot, stage);
        } catch (const OutOfMemory&) {
            throw;
        } catch (const Error& error) {
            if (wanted.place.line == 0) throw;
            throw Error(whereIs(config, wanted.place) +
                        (config.inFilterLanguage ? inFilterWords(error.what()) : error.what()));
        }
    }
    for (const ViewConfig& view : config.views) {
        const std::size_t number = snapshot->views.size();
        snapshot->views.push_back(
            {view.id, view.label, wiring.views[number], wiring.beneath[number], view.main});
    }
    if (snapshot->views.empty()) snapshot->views.push_back({"", "", wiring.views.front()});
    settle(*snapshot, allOf(*snapshot));
    return snapshot;
}

SnapshotPtr withValue(const Snapshot& from, std::string_view stage, std::string_view key,
                      const ParamValue& value) {
    auto next = std::make_shared<Snapshot>(from);
    const std::size_t at = from.indexOf(stage);
    next->stages[at].params.set(stage, key, value);
    planFrom(*next, at);
    return next;
}

SnapshotPtr withBypass(const Snapshot& from, std::string_view stage, bool bypass) {
    const std::size_t at = from.indexOf(stage);
    if (bypass && !from.stages[at].type->bypassable) {
        throw Error(fmt::format("Stage '{}' cannot be bypassed.", stage));
    }
    auto next = std::make_shared<Snapshot>(from);
    next->stages[at].bypass = bypass;
    planFrom(*next, at);
    return next;
}

SnapshotPtr withOnCpu(const Snapshot& from, std::string_view stage, bool onCpu) {
    auto next = std::make_shared<Snapshot>(from);
    next->stages[from.indexOf(stage)].onCpu = onCpu;
    return next;
}

SnapshotPtr withInput(const Snapshot& from, const FrameSpec& input) {
    auto next = std::make_shared<Snapshot>(from);
    next->input = input;
    plan(*next, allOf(*next));
    return next;
}

SnapshotPtr withDefaults(const Snapshot& from) {
    auto next = std::make_shared<Snapshot>(from);
    for (StageState& stage : next->stages) stage.params = stage.defaults;
    plan(*next, allOf(*next));
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

bool sameGraph(const Snapshot& a, const Snapshot& b) {
    return a.recording == b.recording &&
           std::ranges::equal(a.stages, b.stages,
                              [](const StageState& x, const StageState& y) {
                                  return x.id == y.id && x.type == y.type && x.sources == y.sources;
                              }) &&
           std::ranges::equal(a.views, b.views, [](const ViewState& x, const ViewState& y) {
               return nameOf(x) == nameOf(y) && x.label == y.label && x.source == y.source &&
                      x.over == y.over && x.main == y.main;
           });
}

bool differsOnlyLive(const Snapshot& from, const Snapshot& to) {
    if (!from.input.sameLayout(to.input) || from.input.acquisition != to.input.acquisition ||
        from.input.spectrometer != to.input.spectrometer) {
        return false;
    }
    const auto sameView = [](const ViewState& a, const ViewState& b) {
        return a.id == b.id && a.source == b.source && a.over == b.over;
    };
    if (!std::ranges::equal(from.views, to.views, sameView)) return false;
    return std::ranges::equal(from.stages, to.stages, [](const StageState& a, const StageState& b) {
        if (a.id != b.id || a.type != b.type || !a.hasSwitchesOf(b) || a.sources != b.sources)
            return false;
        if (a.bypass) return true;
        const auto sameLayout = [](const FrameSpec& x, const FrameSpec& y) {
            return x.sameLayout(y);
        };
        if (a.plan.workspaceBytes < b.plan.workspaceBytes || a.input().axes != b.input().axes)
            return false;
        if (!std::ranges::equal(a.inputs, b.inputs, sameLayout) ||
            !std::ranges::equal(a.plan.outputs, b.plan.outputs, sameLayout))
            return false;
        return std::ranges::all_of(a.type->table.rows(), [&](const ParamRow& row) {
            return row.kind == ParamKind::Live || a.params.get(row.key) == b.params.get(row.key);
        });
    });
}

} // namespace echolux
