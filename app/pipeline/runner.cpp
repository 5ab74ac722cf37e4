// SPDX-License-Identifier: GPL-3.0-or-later
// Puts snapshots in force and enqueues frames.
#include "app/pipeline/runner.hpp"

#include "gpu/core/volume_image.hpp"
#include "gpu/memory/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace echolux {

namespace {

/// Compares the facts that reach a stage and may change live, see Stage::follow().
bool haveSameLiveFacts(const StageState& a, const StageState& b) {
    const auto same = [](const FrameSpec& of, const FrameSpec& other) {
        return of.spectralGrid == other.spectralGrid;
    };
    return std::ranges::equal(a.inputs, b.inputs, same);
}

/// What profilers show of a step.
class ProfiledRange {
public:
    ProfiledRange(Backend backend, const std::string& name) : m_isOpen(backend == Backend::Cuda) {
        if (m_isOpen) device::pushRange(name.c_str());
    }
    ProfiledRange(const ProfiledRange&) = delete;
    ProfiledRange& operator=(const ProfiledRange&) = delete;
    ~ProfiledRange() {
        if (m_isOpen) device::popRange();
    }

private:
    bool m_isOpen;
};

/// Nothing is in force.
FrameProgram noProgram(Fusing fusing) {
    FrameProgram none;
    none.fusing = fusing;
    return none;
}

} // namespace

Runner::Runner(Backend backend, int slots, Fusing fusing)
    : m_backend(backend), m_nextFusing(fusing), m_program(noProgram(fusing)), m_timer(backend) {
    const int count = backend == Backend::Cuda ? std::max(slots, 1) : 1;
    for (int i = 0; i < count; ++i) m_slots.emplace_back(backend);
}

Runner::~Runner() {
    try {
        drain();
    } catch (
        const Error&) { // a broken device cannot be drained; its memory is released nevertheless
    }
}

void Runner::drain() const {
    for (const FrameSlot& slot : m_slots) slot.drain();
}

void Runner::checkMemory(const FrameProgram& next, std::size_t besidesBytes) const {
    if (m_backend != Backend::Cuda) return;
    const std::size_t needed = next.bytes(m_slots.size()) + besidesBytes;
    const std::size_t held = snapshot() ? m_program.bytes(m_slots.size()) : 0;
    const std::size_t available = device::freeBytes() + held;
    if (needed <= available) return;
    constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
    const std::int64_t ensemble = next.snapshot->ensemble();
    const std::string shorter =
        ensemble > 1 ? fmt::format("shorten its ensembles of {} frames, ", ensemble) : "";
    throw OutOfMemory(fmt::format(
        "The pipeline '{}' needs {:.2f} GiB of GPU memory, but {:.2f} GiB are free; {}make the "
        "image grid coarser{}, switch transmits off in the recording, or use the CPU backend.",
        next.snapshot->name, static_cast<double>(needed) / kGiB,
        static_cast<double>(available) / kGiB, shorter,
        isWholeVolume(next.snapshot->output())
            ? " (pixel_lateral, pixel_elevation or pixel_depth of beamform)"
            : ""));
}

void Runner::foresee(const SnapshotPtr& next, const std::vector<std::string>& kept, Fusing fusing) {
    m_foreseen = {};
    try {
        m_foreseen = makeFrameProgram(next, m_backend, kept, fusing);
    } catch (const Error&) { // apply() throws it again
    }
}

FrameProgram Runner::programOf(SnapshotPtr next, const std::vector<std::string>& kept) {
    FrameProgram foreseen = std::exchange(m_foreseen, {});
    if (foreseen.snapshot == next && foreseen.kept == kept && foreseen.fusing == m_nextFusing)
        return foreseen;
    return makeFrameProgram(std::move(next), m_backend, kept, m_nextFusing);
}

void Runner::apply(SnapshotPtr next, const std::vector<std::string>& kept,
                   std::size_t besidesBytes) {
    drain();
    const FrameProgram former = m_program;
    try {
        FrameProgram program = programOf(std::move(next), kept);
        if (former.snapshot && kept == former.kept &&
            differsOnlyLive(*former.snapshot, *program.snapshot) && program.steps == former.steps) {
            markCapturedStale(); // launches of captured frames hold constants
            updateChanged(*program.snapshot);
            m_program = std::move(program);
            return;
        }
        checkMemory(program, besidesBytes);
        build(std::move(program));
    } catch (...) {
        m_nextFusing = former.fusing;
        if (former.snapshot && snapshot() == nullptr) build(former);
        throw;
    }
}

void Runner::updateChanged(const Snapshot& next) {
    for (std::size_t i = 0; i < m_program.steps.size(); ++i) {
        const Step& step = m_program.steps[i];
        const bool follows = std::ranges::any_of(step.stages, [&](std::size_t stage) {
            return !haveSameLiveFacts(snapshot()->stages[stage], next.stages[stage]);
        });
        const bool changed = std::ranges::any_of(step.stages, [&](std::size_t stage) {
            return !(snapshot()->stages[stage].params == next.stages[stage].params);
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
    m_program = noProgram(fusing());
    m_workers.clear();
    m_pasts.clear();
    m_noPast = Buffer();
    m_noPastOnHost = Buffer();
    for (FrameSlot& slot : m_slots) slot.release();
}

void Runner::build(FrameProgram program) {
    release();
    m_next = 0;
    m_frames = {};
    m_captureFailed = false;
    for (FrameSlot& slot : m_slots) slot.allocate(program);
    allocatePasts(program);
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
        const Step& step = program.steps[i];
        m_workers.push_back(makeWorker(execOf(step), *program.snapshot, step));
        if (!program.schedule.tasks[i].follows.empty())
            m_workers[i].order = Event(m_backend, false);
    }
    drain();
    m_program = std::move(program);
    m_timer.begin(m_program.steps.size());
    m_couldFuse = couldFuse(m_program);
    ++m_builds;
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
    if (step.stateBytes > 0)
        worker.states = SeriesBuffers(computeMemory(exec.backend), step.stateBytes);
    const StageState& stage = snapshot.stages[step.first()];
    worker.stage = stage.type->create();
    worker.stage->prepare(exec, stage.inputs, stage.plan, stage.params);
    worker.stage->update(exec, stage.params);
    return worker;
}

Workspace Runner::workspaceOf(const FrameSlot& slot, std::size_t lane, const Worker& worker) const {
    Workspace workspace = statesOf(slot, worker);
    workspace.data = slot.workspaces[lane].data();
    workspace.bytes = slot.workspaces[lane].bytes();
    return workspace;
}

Workspace Runner::statesOf(const FrameSlot& slot, const Worker& worker) const {
    Workspace workspace;
    workspace.past = worker.states.past(slot.place, Buffer()).data();
    workspace.next = worker.states.next(slot.place).data();
    workspace.frame = slot.frame;
    return workspace;
}

const void* Runner::outputOf(const FrameSlot& slot, std::size_t output) const {
    return output == Task::kRecording ? slot.raw.data() : slot.outputs[output];
}

/// Sets where each output goes: to a view's target, or into a buffer.
void Runner::aim(FrameSlot& slot, const FrameJob& job) const {
    for (std::size_t i = 0; i < m_program.schedule.outputs.size(); ++i)
        slot.outputs[i] = slot.buffers[m_program.schedule.outputs[i].buffer].data();
    for (std::size_t i = 0; i < m_program.schedule.views.size(); ++i) {
        const ViewTarget& target = job.targets[i];
        if (m_program.writesTo(target, i))
            slot.outputs[m_program.schedule.views[i].output] = target.pixels;
    }
}

void Runner::runTask(FrameSlot& slot, std::size_t index) {
    const Task& task = m_program.schedule.tasks[index];
    const Step& step = m_program.steps[index];
    Worker& worker = m_workers[index];
    const Exec on = slot.lane(task.lane);
    const StageState& first = snapshot()->stages[step.first()];
    const StageState& last = snapshot()->stages[step.last()];
    for (const std::size_t other : task.waits)
        (other == Task::kRecording ? slot.uploaded : slot.passed[other]).blockStream(on);
    // NOTE: an event that a captured frame records counts from the moment when it is reached, not
    // from the launch. So the order between captured frames is kept outside of them.
    const bool inOrder = !task.follows.empty() && !slot.isCaptured;
    for (const std::size_t other : task.follows)
        if (inOrder) m_workers[other].order.blockStream(on);
    if (task.marksStart) slot.mark(task.startMark, on);
    const ProfiledRange range(m_backend, last.id);
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
    if (inOrder) worker.order.record(on);
    slot.mark(task.endMark, on);
    if (task.isAwaited) slot.passed[index].record(on);
}

void Runner::enqueueTasks(FrameSlot& slot, const FrameJob& job) {
    if (m_program.schedule.lanes() > 1) slot.uploaded.record(slot.exec());
    aim(slot, job);
    for (std::size_t i = 0; i < m_program.schedule.tasks.size(); ++i) runTask(slot, i);
    joinLanes(slot);
}

/// Brings the raw frame into the slot.
void Runner::fetch(FrameSlot& slot, const FrameJob& job) const {
    const Exec on = slot.exec();
    const std::size_t bytes = snapshot()->input.bytes();
    if (!job.rawStream) return upload(on, slot.raw.data(), job.raw, bytes);
    const Exec writer{m_backend, *job.rawStream};
    slot.written.record(writer);
    slot.written.blockStream(on);
    copyWithin(on, slot.raw.data(), job.raw, bytes);
    slot.fetched.record(on);
    slot.fetched.blockStream(writer);
}

int Runner::enqueue(const FrameJob& job) {
    if (!snapshot()) throw Error("The pipeline is not ready; open a recording first.");
    const Series series = job.turn == Turn::Aside ? Series::Aside : Series::Shown;
    bool& failed = m_failed[static_cast<std::size_t>(series)];
    const bool isInPlace = job.turn == Turn::Again || failed;
    if (!isInPlace || framesOf(series) == 0) ++framesOf(series);
    const int index = m_next;
    m_next = (m_next + 1) % slotCount();
    try {
        enqueueIn(slotAt(index), series, job);
    } catch (...) {
        slotAt(index).giveUp();
        m_next = index;
        failed = true;
        throw;
    }
    failed = false;
    return index;
}

void Runner::enqueueIn(FrameSlot& slot, Series series, const FrameJob& job) {
    slot.frame = job.frame;
    slot.place = lastOf(series);
    slot.isRead = false;
    slot.enqueuedAt = std::chrono::steady_clock::now();
    const Exec on = slot.exec();
    slot.mark(Schedule::kStartMark, on);
    fetch(slot, job);
    slot.mark(Schedule::kUploadMark, on);
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
    slot.mark(m_program.schedule.endMark, end);
    slot.done.record(end);
}

ConstTensorView Runner::keptOutput(int slot, std::string_view name) const {
    const Source source = keptSource(*snapshot(), name);
    const auto kept = std::ranges::find(m_program.kept, name);
    const std::size_t output =
        kept != m_program.kept.end()
            ? m_program.schedule.kept[static_cast<std::size_t>(kept - m_program.kept.begin())]
        : source.output == 0 ? m_program.schedule.stageOutputs[source.stage]
                             : Schedule::kNowhere;
    return {output == Schedule::kNowhere ? nullptr : outputOf(slotAt(slot), output),
            &snapshot()->outputOf(source)};
}

ConstTensorView Runner::viewOutput(int slot, std::size_t view) const {
    return {outputOf(slotAt(slot), m_program.schedule.views[view].output),
            &snapshot()->outputOf(snapshot()->views[view].source)};
}

std::array<const float*, 2> Runner::viewMotion(int slot, std::size_t view) const {
    std::array<const float*, 2> motion{};
    const ViewData& data = m_program.schedule.views[view];
    for (std::size_t part = 0; part < motion.size(); ++part) {
        if (data.motion[part] == Task::kRecording) continue;
        motion[part] = static_cast<const float*>(outputOf(slotAt(slot), data.motion[part]));
    }
    return motion;
}

} // namespace echolux
