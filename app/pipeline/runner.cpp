// SPDX-License-Identifier: GPL-3.0-or-later
// Buffers, order and timing of frames in flight.
#include "app/pipeline/runner.hpp"

#include "gpu/core/volume_image.hpp"
#include "gpu/memory/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace echolux {

namespace {

/// Limit for the branches of a graph that run side by side.
constexpr std::size_t kMostLanes = 4;

/// Compares the facts that reach a stage and may change live, see Stage::follow().
bool haveSameLiveFacts(const StageState& a, const StageState& b) {
    const auto same = [](const FrameSpec& of, const FrameSpec& other) {
        return of.spectralGrid == other.spectralGrid;
    };
    return std::ranges::equal(a.inputs, b.inputs, same);
}

} // namespace

Runner::Runner(Backend backend, int slots, Fusing fusing)
    : m_backend(backend), m_fusing(fusing), m_nextFusing(fusing), m_reference(backend, true) {
    m_slots.resize(backend == Backend::Cuda ? static_cast<std::size_t>(std::max(slots, 1)) : 1);
    for (Slot& slot : m_slots) {
        slot.lanes.emplace_back(backend, "pipeline");
        slot.uploaded = Event(backend, false);
        slot.shown = Event(backend, false);
        slot.done = Event(backend, false);
    }
}

Runner::~Runner() {
    try {
        drain();
    } catch (
        const Error&) { // a broken device cannot be drained; its memory is released nevertheless
    }
}

Exec Runner::laneOf(const Slot& slot, std::size_t lane) const {
    return {m_backend, slot.lanes[lane].get()};
}

Exec Runner::exec(int slot) const { return laneOf(slotAt(slot), 0); }

void Runner::drain() const {
    for (const Slot& slot : m_slots)
        for (const Stream& lane : slot.lanes) lane.synchronize();
}

std::size_t Runner::bytesFor(const Snapshot& snapshot, const std::vector<std::string>& kept) const {
    const std::vector<Step> steps = stepsOf(snapshot, kept);
    return bytesOf(snapshot, steps, scheduleOf(snapshot, steps, kept));
}

Schedule Runner::scheduleOf(const Snapshot& snapshot, const std::vector<Step>& steps,
                            const std::vector<std::string>& kept) const {
    return makeSchedule(snapshot, steps, kept, m_backend == Backend::Cuda ? kMostLanes : 1);
}

std::size_t Runner::bytesOf(const Snapshot& snapshot, const std::vector<Step>& steps,
                            const Schedule& schedule) const {
    std::size_t shared = 0;
    for (const Step& step : steps) shared += 4 * step.stateBytes + step.heldBytes;
    return m_slots.size() * (snapshot.input.bytes() + schedule.bytes()) + shared +
           schedule.pastBytes();
}

std::vector<Step> Runner::stepsOf(const Snapshot& snapshot,
                                  const std::vector<std::string>& kept) const {
    return planSteps(snapshot, m_backend, kept, m_fusing);
}

void Runner::checkMemory(const Snapshot& next, std::size_t needed) const {
    if (m_backend != Backend::Cuda) return;
    const std::size_t held = m_snapshot ? bytesOf(*m_snapshot, m_steps, m_schedule) : 0;
    const std::size_t available = device::freeBytes() + held;
    if (needed > available) {
        constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
        const std::string shorter =
            next.ensemble() > 1
                ? fmt::format("shorten its ensembles of {} frames, ", next.ensemble())
                : "";
        throw OutOfMemory(fmt::format(
            "The pipeline '{}' needs {:.2f} GiB of GPU memory, but {:.2f} GiB are free; {}make the "
            "image grid coarser{}, switch transmits off in the recording, or use the CPU backend.",
            next.name, static_cast<double>(needed) / kGiB, static_cast<double>(available) / kGiB,
            shorter,
            isWholeVolume(next.output())
                ? " (pixel_lateral, pixel_elevation or pixel_depth of beamform)"
                : ""));
    }
}

void Runner::apply(SnapshotPtr next, const std::vector<std::string>& kept,
                   std::size_t besidesBytes) {
    drain();
    const SnapshotPtr former = m_snapshot;
    const std::vector<std::string> formerKept = m_kept;
    const Fusing formerFusing = std::exchange(m_fusing, m_nextFusing);
    try {
        std::vector<Step> steps = stepsOf(*next, kept);
        if (m_snapshot && kept == m_kept && differsOnlyLive(*m_snapshot, *next) &&
            steps == m_steps) {
            forgetCaptured(); // launches of captured frames hold constants
            updateChanged(*next);
            m_snapshot = std::move(next);
            return;
        }
        Schedule schedule = scheduleOf(*next, steps, kept);
        checkMemory(*next, bytesOf(*next, steps, schedule) + besidesBytes);
        build(std::move(next), kept, std::move(steps), std::move(schedule));
    } catch (...) {
        m_fusing = m_nextFusing = formerFusing;
        if (former && m_snapshot == nullptr) {
            std::vector<Step> steps = stepsOf(*former, formerKept);
            Schedule schedule = scheduleOf(*former, steps, formerKept);
            build(former, formerKept, std::move(steps), std::move(schedule));
        }
        throw;
    }
}

void Runner::updateChanged(const Snapshot& next) {
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const Step& step = m_steps[i];
        const bool follows = std::ranges::any_of(step.stages, [&](std::size_t stage) {
            return !haveSameLiveFacts(m_snapshot->stages[stage], next.stages[stage]);
        });
        const bool changed = std::ranges::any_of(step.stages, [&](std::size_t stage) {
            return !(m_snapshot->stages[stage].params == next.stages[stage].params);
        });
        if (!changed && !follows) continue;
        const Exec on = execOf(step);
        if (step.fusion != nullptr) {
            m_workers[i].fused->update(on, step.chain(next));
            continue;
        }
        const StageState& stage = next.stages[step.first()];
        if (follows) m_workers[i].stage->follow(on, stage.inputs);
        m_workers[i].stage->update(on, stage.params);
    }
    drain();
}

void Runner::release() {
    drain();
    m_snapshot = nullptr;
    m_steps.clear();
    m_workers.clear();
    m_pasts.clear();
    m_noPast = Buffer();
    m_noPastOnHost = Buffer();
    forgetCaptured();
    for (Slot& slot : m_slots) {
        slot.raw = Buffer();
        slot.buffers.clear();
        slot.workspaces.clear();
        slot.hostOutputs.clear();
        slot.hostWorkspaces.clear();
        slot.hostTasks.clear();
        slot.passed.clear();
        slot.marks.clear();
    }
}

void Runner::build(SnapshotPtr next, const std::vector<std::string>& kept, std::vector<Step> steps,
                   Schedule schedule) {
    release();
    m_next = 0;
    m_frames = {};
    m_schedule = std::move(schedule);
    const MemoryKind memory = computeMemory(m_backend);
    for (Slot& slot : m_slots) {
        while (slot.lanes.size() < m_schedule.lanes()) slot.lanes.emplace_back(m_backend, "lane");
        slot.outputs.assign(m_schedule.outputs.size(), nullptr);
        slot.cpuMarks.assign(m_schedule.marks, {});
        slot.timing = {};
        slot.raw = Buffer(memory, next->input.bytes());
        for (const std::size_t bytes : m_schedule.bufferBytes)
            slot.buffers.emplace_back(memory, bytes);
        for (const std::size_t bytes : m_schedule.workspaceBytes)
            slot.workspaces.emplace_back(memory, bytes);
        allocateForHost(slot, steps);
        for (const Task& task : m_schedule.tasks)
            slot.passed.push_back(task.isAwaited ? Event(m_backend, false) : Event());
        for (std::size_t i = 0; i < m_schedule.marks; ++i) slot.marks.emplace_back(m_backend, true);
    }
    allocatePasts();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        m_workers.push_back(makeWorker(execOf(steps[i]), *next, steps[i]));
        if (!m_schedule.tasks[i].follows.empty()) m_workers[i].order = Event(m_backend, false);
    }
    drain();
    m_snapshot = std::move(next);
    m_steps = std::move(steps);
    m_stepMs.assign(m_steps.size(), 0.0);
    m_stepStartMs.assign(m_steps.size(), 0.0);
    m_kept = kept;
    ++m_builds;
    const auto isFused = [](const Step& step) { return step.fusion != nullptr; };
    m_hasFusions = std::ranges::any_of(m_steps, isFused);
    if (m_fusing == Fusing::Never)
        m_hasFusions =
            std::ranges::any_of(planSteps(*m_snapshot, m_backend, kept, Fusing::Allowed), isFused);
    // A captured frame ends as a whole, so shown images would wait for steps aside.
    m_canCapture = m_backend == Backend::Cuda && !m_schedule.hasAsides() &&
                   std::ranges::none_of(m_snapshot->stages, [](const StageState& stage) {
                       return stage.plan.countsFrames;
                   });
    // NOTE: captured frames hold the addresses that they write to. The targets of several views
    // meet in ever new combinations, and each would be captured anew.
    m_copiesImages = m_canCapture && m_schedule.views.size() > 1;
}

Runner::Worker Runner::makeWorker(const Exec& exec, const Snapshot& snapshot,
                                  const Step& step) const {
    Worker worker;
    if (step.fusion != nullptr) {
        const std::vector<ChainStage> chain = step.chain(snapshot);
        worker.fused = step.fusion->create();
        worker.fused->prepare(exec, chain);
        worker.fused->update(exec, chain);
        return worker;
    }
    if (step.stateBytes > 0) {
        for (std::array<Buffer, 2>& series : worker.states) {
            for (Buffer& state : series)
                state = Buffer(computeMemory(exec.backend), step.stateBytes);
        }
    }
    const StageState& stage = snapshot.stages[step.first()];
    worker.stage = stage.type->create();
    worker.stage->prepare(exec, stage.inputs, stage.plan, stage.params);
    worker.stage->update(exec, stage.params);
    return worker;
}

bool Runner::hasPast() const {
    return std::ranges::any_of(m_schedule.tasks,
                               [](const Task& task) { return !task.follows.empty(); });
}

Workspace Runner::workspaceOf(const Slot& slot, std::size_t lane, const Worker& worker) const {
    Workspace workspace = statesOf(slot, worker);
    workspace.data = slot.workspaces[lane].data();
    workspace.bytes = slot.workspaces[lane].bytes();
    return workspace;
}

Workspace Runner::statesOf(const Slot& slot, const Worker& worker) const {
    Workspace workspace;
    workspace.past = pastOf(slot, worker.states, Buffer()).data();
    workspace.next = nextOf(slot, worker.states).data();
    workspace.frame = slot.frame;
    return workspace;
}

const void* Runner::outputOf(const Slot& slot, std::size_t output) const {
    return output == Task::kRecording ? slot.raw.data() : slot.outputs[output];
}

/// Sets where each output goes: to a view's target, or into a buffer.
void Runner::aim(Slot& slot, const FrameJob& job) const {
    for (std::size_t i = 0; i < m_schedule.outputs.size(); ++i)
        slot.outputs[i] = slot.buffers[m_schedule.outputs[i].buffer].data();
    for (std::size_t i = 0; i < m_schedule.views.size(); ++i) {
        const ViewTarget& target = job.targets[i];
        if (writesToTarget(i, target)) slot.outputs[m_schedule.views[i].output] = target.pixels;
    }
}

void Runner::runTask(Slot& slot, std::size_t index) {
    const Task& task = m_schedule.tasks[index];
    const Step& step = m_steps[index];
    Worker& worker = m_workers[index];
    const Exec on = laneOf(slot, task.lane);
    const StageState& first = m_snapshot->stages[step.first()];
    const StageState& last = m_snapshot->stages[step.last()];
    for (const std::size_t other : task.waits)
        (other == Task::kRecording ? slot.uploaded : slot.passed[other]).blockStream(on);
    // NOTE: an event that a captured frame records counts from the moment when it is reached, not
    // from the launch. So the order between captured frames is kept outside of them.
    const bool inOrder = !task.follows.empty() && !m_isCapturing;
    for (const std::size_t other : task.follows)
        if (inOrder) m_workers[other].order.blockStream(on);
    if (task.marksStart) mark(slot, task.startMark, on);
    if (m_backend == Backend::Cuda) device::pushRange(last.id.c_str());
    std::array<TensorView, kMostPorts> outputs{};
    for (std::size_t port = 0; port < task.outputs.size(); ++port) {
        const std::size_t output = task.outputs[port];
        outputs[port] = {output == Task::kUnread ? nullptr : slot.outputs[output],
                         &last.plan.outputs[port]};
    }
    const Workspace workspace = workspaceOf(slot, task.lane, worker);
    HostTask& onHost = slot.hostTasks[index];
    if (onHost.stage != nullptr) {
        device::call(on.stream, HostTask::run, &onHost);
    } else if (worker.fused != nullptr) {
        worker.fused->run(on, {inputOf(slot, task.inputs[0]), &first.input()}, outputs[0],
                          workspace);
    } else {
        std::array<ConstTensorView, kMostPorts> inputs{};
        for (std::size_t port = 0; port < task.inputs.size(); ++port)
            inputs[port] = {inputOf(slot, task.inputs[port]), &first.inputs[port]};
        worker.stage->run(on, std::span(inputs).first(task.inputs.size()),
                          std::span(outputs).first(task.outputs.size()), workspace);
    }
    copyAcross(on, slot, task);
    keepForNext(on, slot, task);
    if (m_backend == Backend::Cuda) device::popRange();
    if (inOrder) worker.order.record(on);
    mark(slot, task.endMark, on);
    if (task.isAwaited) slot.passed[index].record(on);
}

void Runner::enqueueTasks(Slot& slot, const FrameJob& job) {
    if (m_schedule.lanes() > 1) slot.uploaded.record(laneOf(slot, 0));
    aim(slot, job);
    for (std::size_t i = 0; i < m_schedule.tasks.size(); ++i) runTask(slot, i);
    joinLanes(slot);
}

int Runner::enqueue(const FrameJob& job) {
    if (!m_snapshot) throw Error("The pipeline is not ready; open a recording first.");
    const Series series = job.turn == Turn::Aside ? kAside : kShown;
    if (job.turn != Turn::Again || m_frames[series] == 0) ++m_frames[series];
    const int index = m_next;
    m_next = (m_next + 1) % slotCount();
    Slot& slot = slotAt(index);
    slot.frame = job.frame;
    slot.series = series;
    slot.isRead = false;
    slot.enqueuedAt = std::chrono::steady_clock::now();
    const Exec on = exec(index);
    mark(slot, Schedule::kStartMark, on);
    upload(on, slot.raw.data(), job.raw, m_snapshot->input.bytes());
    mark(slot, Schedule::kUploadMark, on);
    awaitTargets(slot, job);
    slot.isTimed = m_enqueued++ % m_timedEvery == 0;
    prepareHostTasks(slot, job);
    if (!launchCaptured(slot, job)) {
        slot.isTimed = true;
        enqueueTasks(slot, job);
    }
    fillTargets(slot, job);
    slot.shown.record(on);
    const Exec end = endOf(slot);
    mark(slot, m_schedule.endMark, end);
    slot.done.record(end);
    return index;
}

ConstTensorView Runner::keptOutput(int slot, std::string_view stage) const {
    const std::size_t at = m_snapshot->indexOf(stage);
    const std::size_t output = m_schedule.stageOutputs[at];
    return {output == Schedule::kNowhere ? nullptr : outputOf(slotAt(slot), output),
            &m_snapshot->stages[at].plan.outputs[0]};
}

ConstTensorView Runner::viewOutput(int slot, std::size_t view) const {
    return {outputOf(slotAt(slot), m_schedule.views[view].output),
            &m_snapshot->outputOf(m_snapshot->views[view].source)};
}

} // namespace echolux
