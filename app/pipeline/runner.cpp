// SPDX-License-Identifier: GPL-3.0-or-later
// Buffers, order and timing of frames in flight.
#include "app/pipeline/runner.hpp"

#include "gpu/memory/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace echolux {

/// Sizes of the buffers for a snapshot.
struct Runner::Layout {
    // Of each slot.
    std::size_t raw = 0;
    std::size_t scratch = 0;
    std::size_t workspace = 0;
    std::vector<std::size_t> kept;
    std::size_t shared = 0; ///< states and tables of the stages

    Layout(const Snapshot& snapshot, const std::vector<Step>& steps,
           const std::vector<std::string>& keptIds)
        : raw(snapshot.input.bytes()), kept(snapshot.stages.size(), 0) {
        for (const Step& step : steps) {
            const StageState& last = snapshot.stages[step.last()];
            const std::size_t bytes = last.plan.output.bytes();
            if (std::ranges::find(keptIds, last.id) != keptIds.end()) {
                kept[step.last()] = bytes;
            } else {
                scratch = std::max(scratch, bytes);
            }
            workspace = std::max(workspace, step.workspaceBytes);
            shared += 4 * step.stateBytes + step.heldBytes;
        }
    }
    std::size_t total(std::size_t slots) const {
        const std::size_t perSlot = std::accumulate(kept.begin(), kept.end(), raw + workspace);
        return slots * (perSlot + 2 * scratch) + shared;
    }
};

Runner::Runner(Backend backend, int slots, Fusing fusing) : m_backend(backend), m_fusing(fusing) {
    m_slots.resize(backend == Backend::Cuda ? static_cast<std::size_t>(std::max(slots, 1)) : 1);
    for (Slot& slot : m_slots) {
        slot.stream = Stream(backend, "pipeline");
        slot.done = Event(backend, false);
    }
}

Runner::~Runner() {
    try {
        drain();
    } catch (
        const Error&) { // a broken device cannot be drained; its memory is released all the same
    }
}

Exec Runner::exec(int slot) const {
    return {m_backend, m_slots[static_cast<std::size_t>(slot)].stream.get()};
}

void Runner::drain() const {
    for (const Slot& slot : m_slots) slot.stream.synchronize();
}

bool Runner::finished(int slot) const {
    return m_slots[static_cast<std::size_t>(slot)].done.finished();
}
void Runner::wait(int slot) const { m_slots[static_cast<std::size_t>(slot)].done.synchronize(); }

std::size_t Runner::bytesFor(const Snapshot& snapshot, const std::vector<std::string>& kept) const {
    return Layout(snapshot, stepsOf(snapshot, kept), kept).total(m_slots.size());
}

std::vector<Step> Runner::stepsOf(const Snapshot& snapshot,
                                  const std::vector<std::string>& kept) const {
    return planSteps(snapshot, m_backend, kept, m_fusing);
}

void Runner::checkMemory(const Snapshot& next, std::size_t needed) const {
    if (m_backend != Backend::Cuda) return;
    const std::size_t held = m_snapshot ? bytesFor(*m_snapshot, m_kept) : 0;
    const std::size_t available = device::freeBytes() + held;
    if (needed > available) {
        constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
        throw OutOfMemory(fmt::format(
            "The pipeline '{}' needs {:.2f} GiB of GPU memory, but {:.2f} GiB are free; make the "
            "image grid coarser, switch transmits off in the recording, or use the CPU backend.",
            next.name, static_cast<double>(needed) / kGiB, static_cast<double>(available) / kGiB));
    }
}

void Runner::apply(SnapshotPtr next, const std::vector<std::string>& kept,
                   std::size_t besidesBytes) {
    drain();
    if (m_snapshot && kept == m_kept && differsOnlyLive(*m_snapshot, *next) &&
        stepsOf(*next, kept) == m_steps) {
        updateChanged(*next);
        m_snapshot = std::move(next);
        return;
    }
    checkMemory(*next, bytesFor(*next, kept) + besidesBytes);
    const SnapshotPtr former = m_snapshot;
    const std::vector<std::string> formerKept = m_kept;
    try {
        build(std::move(next), kept);
    } catch (...) {
        m_snapshot = nullptr;
        if (former) build(former, formerKept);
        throw;
    }
}

void Runner::updateChanged(const Snapshot& next) {
    const Exec on = exec(0);
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const Step& step = m_steps[i];
        const bool changed = std::ranges::any_of(step.stages, [&](std::size_t stage) {
            return !(m_snapshot->stages[stage].params == next.stages[stage].params);
        });
        if (!changed) continue;
        if (step.fusion != nullptr) {
            m_workers[i].fused->update(on, step.chain(next));
        } else {
            m_workers[i].stage->update(on, next.stages[step.first()].params);
        }
    }
    drain();
}

void Runner::release() {
    drain();
    m_snapshot = nullptr;
    m_steps.clear();
    m_workers.clear();
    for (Slot& slot : m_slots) {
        slot.raw = Buffer();
        slot.workspace = Buffer();
        for (Buffer& scratch : slot.scratch) scratch = Buffer();
        slot.kept.clear();
        slot.marks.clear();
    }
}

void Runner::build(SnapshotPtr next, const std::vector<std::string>& kept) {
    release();
    m_next = 0;
    m_frames = {};
    std::vector<Step> steps = stepsOf(*next, kept);
    const Layout layout(*next, steps, kept);
    const MemoryKind memory = computeMemory(m_backend);
    const std::size_t marks = steps.size() + 2;
    for (Slot& slot : m_slots) {
        slot.outputs.assign(next->stages.size(), nullptr);
        slot.cpuMarks.assign(marks, {});
        slot.timing = {};
        slot.timing.stepMs.assign(steps.size(), 0.0);
        slot.raw = Buffer(memory, layout.raw);
        slot.workspace = Buffer(memory, layout.workspace);
        for (Buffer& scratch : slot.scratch) scratch = Buffer(memory, layout.scratch);
        for (const std::size_t bytes : layout.kept) slot.kept.emplace_back(memory, bytes);
        for (std::size_t i = 0; i < marks; ++i) slot.marks.emplace_back(m_backend, true);
    }
    for (const Step& step : steps) m_workers.push_back(makeWorker(exec(0), *next, step));
    drain();
    m_snapshot = std::move(next);
    m_steps = std::move(steps);
    m_kept = kept;
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
            for (Buffer& state : series) state = Buffer(computeMemory(m_backend), step.stateBytes);
        }
        worker.order = Event(m_backend, false);
    }
    const StageState& stage = snapshot.stages[step.first()];
    worker.stage = stage.type->create();
    worker.stage->prepare(exec, stage.input, stage.plan, stage.params);
    worker.stage->update(exec, stage.params);
    return worker;
}

void Runner::mark(Slot& slot, std::size_t index) const {
    if (m_backend == Backend::Cuda) {
        slot.marks[index].record({m_backend, slot.stream.get()});
    } else {
        slot.cpuMarks[index] = std::chrono::steady_clock::now();
    }
}

bool Runner::hasPast() const {
    return std::ranges::any_of(m_steps, [](const Step& step) { return step.stateBytes > 0; });
}

/// Frame n since reset reads the state that frame n - 1 of its series wrote.
Workspace Runner::workspaceOf(const Slot& slot, const Worker& worker) const {
    Workspace workspace{slot.workspace.data(), slot.workspace.bytes()};
    const std::array<Buffer, 2>& states = worker.states[slot.series];
    const std::size_t frames = m_frames[slot.series];
    if (frames > 1) workspace.past = states[(frames + 1) % 2].data();
    workspace.next = states[frames % 2].data();
    workspace.frame = slot.frame;
    return workspace;
}

/// `output` may be null: then the stage's kept buffer, or a scratch one that is not the input.
const void* Runner::runStep(Slot& slot, const Exec& exec, std::size_t index, const void* input,
                            void* output) {
    const Step& step = m_steps[index];
    Worker& worker = m_workers[index];
    const StageState& first = m_snapshot->stages[step.first()];
    const StageState& last = m_snapshot->stages[step.last()];
    if (output == nullptr) output = slot.kept[step.last()].data();
    if (output == nullptr) output = slot.scratch[input == slot.scratch[0].data() ? 1 : 0].data();
    const bool inOrder = step.stateBytes > 0;
    if (inOrder) worker.order.blockStream(exec);
    if (m_backend == Backend::Cuda) device::pushRange(last.id.c_str());
    const ConstTensorView in{input, &first.input};
    const TensorView out{output, &last.plan.output};
    if (worker.fused != nullptr) {
        worker.fused->run(exec, in, out, workspaceOf(slot, worker));
    } else {
        worker.stage->run(exec, in, out, workspaceOf(slot, worker));
    }
    if (m_backend == Backend::Cuda) device::popRange();
    if (inOrder) worker.order.record(exec);
    return output;
}

int Runner::enqueue(const FrameJob& job) {
    if (!m_snapshot) throw Error("The pipeline is not ready; open a recording first.");
    const Series series = job.turn == Turn::Aside ? kAside : kShown;
    if (job.turn != Turn::Again || m_frames[series] == 0) ++m_frames[series];
    const int index = m_next;
    m_next = (m_next + 1) % slotCount();
    Slot& slot = m_slots[static_cast<std::size_t>(index)];
    const Exec on = exec(index);
    slot.frame = job.frame;
    slot.series = series;

    mark(slot, 0);
    upload(on, slot.raw.data(), job.raw, m_snapshot->input.bytes());
    mark(slot, 1);
    if (job.outputFree != nullptr) job.outputFree->blockStream(on);

    const void* current = slot.raw.data();
    std::size_t stage = 0;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        while (stage < m_steps[i].first()) slot.outputs[stage++] = current;
        const bool ends = i + 1 == m_steps.size();
        current = runStep(slot, on, i, current, ends ? job.output : nullptr);
        while (stage < m_steps[i].last()) slot.outputs[stage++] = nullptr; // inside a fusion
        slot.outputs[stage++] = current;
        mark(slot, i + 2);
    }
    while (stage < slot.outputs.size()) slot.outputs[stage++] = current;
    slot.done.record(on);
    return index;
}

const FrameTiming& Runner::timing(int index) {
    Slot& slot = m_slots[static_cast<std::size_t>(index)];
    const auto between = [&](std::size_t from, std::size_t to) {
        if (m_backend == Backend::Cuda)
            return device::elapsedMs(slot.marks[from].get(), slot.marks[to].get());
        return std::chrono::duration<double, std::milli>(slot.cpuMarks[to] - slot.cpuMarks[from])
            .count();
    };
    slot.timing.uploadMs = between(0, 1);
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        slot.timing.stepMs[i] = between(i + 1, i + 2);
    }
    slot.timing.totalMs = between(0, m_steps.size() + 1);
    return slot.timing;
}

ConstTensorView Runner::keptOutput(int slot, std::string_view stage) const {
    const StageState& state = m_snapshot->stage(stage);
    const auto at = static_cast<std::size_t>(&state - m_snapshot->stages.data());
    return {m_slots[static_cast<std::size_t>(slot)].outputs[at], &state.plan.output};
}

} // namespace echolux
