// SPDX-License-Identifier: GPL-3.0-or-later
// Tries cuts from the view backwards, and compares the steps of both halves with those of the
// whole.
#include "app/pipeline/frame_cut.hpp"

#include "app/pipeline/linked_config.hpp"
#include "app/pipeline/steps.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace echolux {
namespace {

constexpr const char* kHandedOver = "handed_over"; ///< id of the head's view

using Marks = std::vector<bool>; ///< per stage

/// The stage and all that its inputs come from, in this frame or in earlier ones.
Marks leadingTo(const Snapshot& snapshot, std::size_t last) {
    Marks leading(snapshot.stages.size(), false);
    std::vector<std::size_t> next{last};
    while (!next.empty()) {
        const std::size_t stage = next.back();
        next.pop_back();
        if (leading[stage]) continue;
        leading[stage] = true;
        for (const Source source : snapshot.stages[stage].sources)
            if (!source.isRecording()) next.push_back(source.stage);
    }
    return leading;
}

bool hasPast(const StageState& stage) {
    return !stage.bypass && (stage.plan.stateBytes > 0 || stage.readsFrameBefore());
}

/// Per stage: it leads to the view and stands behind the cut. Null where the stages in front have a
/// past, or where stages behind read anything else in front.
std::optional<Marks> behind(const Snapshot& whole, const Marks& wanted, Source cut) {
    const Marks front = leadingTo(whole, cut.stage);
    Marks tail(whole.stages.size(), false);
    for (std::size_t i = 0; i < tail.size(); ++i) {
        tail[i] = wanted[i] && !front[i];
        if (front[i] && hasPast(whole.stages[i])) return std::nullopt;
    }
    for (std::size_t i = 0; i < tail.size(); ++i) {
        if (!tail[i]) continue;
        for (const Source source : whole.stages[i].sources)
            if (source != cut && (source.isRecording() || !tail[source.stage])) return std::nullopt;
    }
    return tail;
}

/// The stages of `tail` as a pipeline whose recording is the frames of the cut.
PipelineConfig tailConfig(const Snapshot& whole, PipelineConfig full, const Marks& tail,
                          const PortName& cut) {
    const auto isBehind = [&](const std::string& id) { return tail[whole.indexOf(id)]; };
    std::erase_if(full.stages, [&](const StageConfig& stage) { return !isBehind(stage.id); });
    std::erase_if(full.links, [&](const LinkConfig& link) { return !isBehind(link.to.stage); });
    for (LinkConfig& link : full.links)
        if (link.from == cut) link.from = {kRecordingPort, kRecording};
    return full;
}

/// Both run what the whole runs, with the same values.
bool runsAlike(const Snapshot& part, const Snapshot& whole, Backend backend) {
    for (const StageState& stage : part.stages) {
        const StageState& same = whole.stage(stage.id);
        if (stage.bypass != same.bypass || !(stage.params == same.params)) return false;
    }
    const auto steps = planSteps(whole, backend, {}, Fusing::Allowed);
    const auto ofPart = planSteps(part, backend, {}, Fusing::Allowed);
    return std::ranges::all_of(ofPart, [&](const Step& step) {
        return std::ranges::any_of(steps, [&](const Step& each) {
            return each.fusion == step.fusion && each.onHost == step.onHost &&
                   each.ids(whole) == step.ids(part);
        });
    });
}

bool countsFrames(const Snapshot& snapshot) {
    return std::ranges::any_of(snapshot.stages, [](const StageState& stage) {
        return !stage.bypass && stage.plan.countsFrames;
    });
}

std::int64_t framesIn(const FrameSpec& window) {
    return window.isEnsemble() ? window.axes.front().size : 1;
}

/// Null where the halves would not give what the whole gives.
std::optional<FrameCut> cutBehind(const Snapshot& whole, const PipelineConfig& full,
                                  const FrameSpec& raw, Backend backend, Source cut,
                                  const Marks& tail) {
    const PortName at = outputName(whole, cut);
    FrameCut made{.at = toText(at), .head = {}, .tail = {}};
    try {
        made.head = instantiate(onlyView(full, {kHandedOver, "", at}), raw);
        const FrameSpec& handedOver = made.head->output();
        made.perWindow = framesIn(handedOver);
        PipelineConfig config = tailConfig(whole, full, tail, at);
        config.recording = {.ensemble = made.perWindow};
        // NOTE: gathered frames lack what stages before have added to the ensemble.
        made.tail = withInput(*instantiate(config, oneFrameOf(handedOver)), handedOver);
    } catch (const Error&) { // an output that is not given, or a stage that takes no such frames
        return std::nullopt;
    }
    const bool alike = runsAlike(*made.head, whole, backend) &&
                       runsAlike(*made.tail, whole, backend) &&
                       made.tail->output().sameLayout(whole.output());
    const bool countsOtherwise = countsFrames(*made.tail) && made.perWindow != whole.ensemble();
    if (!alike || countsOtherwise) return std::nullopt;
    return made;
}

std::string firstWithPast(const Snapshot& whole, const Marks& wanted) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (wanted[i] && hasPast(whole.stages[i])) return whole.stages[i].id;
    return {};
}

} // namespace

FrameCut cutFrames(const SnapshotPtr& whole, const FrameSpec& raw, Backend backend) {
    const PortName recording{kRecordingPort, kRecording};
    if (!whole) return {.at = toText(recording), .head = {}, .tail = {}};
    const Source view = whole->views.front().source;
    const Marks wanted =
        view.isRecording() ? Marks(whole->stages.size()) : leadingTo(*whole, view.stage);
    const std::string past = firstWithPast(*whole, wanted);
    if (past.empty()) {
        return {.at = toText(outputName(*whole, view)),
                .head = whole,
                .tail = {},
                .perWindow = framesIn(whole->output())};
    }
    const PipelineConfig full =
        onlyView(toFullConfig(*whole), {kHandedOver, "", outputName(*whole, view)});
    for (std::size_t i = whole->stages.size(); i-- > 0;) {
        if (!wanted[i] || whole->stages[i].bypass) continue;
        for (std::size_t port = 0; port < whole->stages[i].plan.outputs.size(); ++port) {
            const Source cut{i, port};
            const auto tail = behind(*whole, wanted, cut);
            if (!tail || !(*tail)[view.stage]) continue;
            if (auto made = cutBehind(*whole, full, raw, backend, cut, *tail)) return *made;
        }
    }
    throw Error(fmt::format(
        "The frames of pipeline '{}' cannot be shared: stage '{}' keeps something from frame to "
        "frame, and no stage before it can run apart; export all frames at once.",
        whole->name, past));
}

} // namespace echolux
