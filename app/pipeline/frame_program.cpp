// SPDX-License-Identifier: GPL-3.0-or-later
// Plans what the frames of a snapshot do.
#include "app/pipeline/frame_program.hpp"

#include "app/pipeline/plugin_file.hpp"

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

/// Limit for the branches of a graph that run side by side.
constexpr std::size_t kMostLanes = 4;

bool isFused(const Step& step) { return step.fusion != nullptr; }

/// What the stage enqueues on CUDA may differ from frame to frame.
bool variesOnCuda(const StageState& stage) {
    const bool isPythonThere =
        stage.type->hasCuda && !stage.bypass && !stage.onCpu && isPython(stage.type->plugin);
    return stage.plan.countsFrames || isPythonThere;
}

} // namespace

FrameProgram makeFrameProgram(SnapshotPtr snapshot, Backend backend, std::vector<std::string> kept,
                              Fusing fusing) {
    const bool onCuda = backend == Backend::Cuda;
    FrameProgram made{.snapshot = std::move(snapshot),
                      .backend = backend,
                      .kept = std::move(kept),
                      .fusing = fusing,
                      .steps = {},
                      .schedule = {}};
    made.steps = planSteps(*made.snapshot, backend, made.kept, fusing);
    made.schedule = makeSchedule(*made.snapshot, made.steps, made.kept, onCuda ? kMostLanes : 1);
    made.hasPast = std::ranges::any_of(made.schedule.tasks,
                                       [](const Task& task) { return !task.follows.empty(); });
    // A captured frame ends as a whole, so shown images would wait for steps aside.
    made.isRepeated = onCuda && !made.schedule.hasAsides() &&
                      std::ranges::none_of(made.snapshot->stages, variesOnCuda);
    // NOTE: captured frames hold the addresses that they write to. The targets of several views
    // meet in ever new combinations, and each would be captured anew.
    made.copiesImages = made.isRepeated && made.schedule.views.size() > 1;
    return made;
}

bool couldFuse(const FrameProgram& program) {
    if (program.fusing == Fusing::Allowed) return std::ranges::any_of(program.steps, isFused);
    return std::ranges::any_of(
        planSteps(*program.snapshot, program.backend, program.kept, Fusing::Allowed), isFused);
}

std::size_t FrameProgram::bytes(std::size_t slots) const {
    std::size_t shared = 0;
    for (const Step& step : steps) shared += 4 * step.stateBytes + step.heldBytes;
    return slots * (snapshot->input.bytes() + schedule.bytes()) + shared + schedule.pastBytes();
}

std::size_t FrameProgram::copiesToHost(const TaskOutput& output) const {
    const bool feeds = output.feedsHost && !schedule.tasks[output.task].onHost;
    return (output.toHost ? 1U : 0U) + (feeds ? 1U : 0U);
}

std::size_t FrameProgram::copiesToDevice(const TaskOutput& output) const {
    const bool feeds = output.feedsDevice && schedule.tasks[output.task].onHost;
    return (output.toDevice ? 1U : 0U) + (feeds ? 1U : 0U);
}

Crossings FrameProgram::crossings() const {
    Crossings made;
    for (const TaskOutput& output : schedule.outputs) {
        made.toHost += copiesToHost(output);
        made.toDevice += copiesToDevice(output);
        made.bytesToHost += copiesToHost(output) * output.bytes;
        made.bytesToDevice += copiesToDevice(output) * output.bytes;
    }
    return made;
}

} // namespace echolux
