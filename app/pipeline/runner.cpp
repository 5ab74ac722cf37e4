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

    Layout(const Snapshot& snapshot, const std::vector<std::string>& keptIds)
        : raw(snapshot.input.bytes()) {
        for (const StageState& stage : snapshot.stages) {
            const std::size_t bytes = stage.plan.output.bytes();
            const bool keep = std::ranges::find(keptIds, stage.id) != keptIds.end();
            kept.push_back(keep && !stage.bypass ? bytes : 0);
            if (stage.bypass) continue;
            if (!keep) scratch = std::max(scratch, bytes);
            workspace = std::max(workspace, stage.plan.workspaceBytes);
            shared += 2 * stage.plan.stateBytes + stage.plan.heldBytes;
        }
    }
    std::size_t total(std::size_t slots) const {
        const std::size_t perSlot = std::accumulate(kept.begin(), kept.end(), raw + workspace);
        return slots * (perSlot + 2 * scratch) + shared;
    }
};

Runner::Runner(Backend backend, int slots) : m_backend(backend) {
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
    return Layout(snapshot, kept).total(m_slots.size());
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
    if (m_snapshot && kept == m_kept && differsOnlyLive(*m_snapshot, *next)) {
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
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        if (m_stages[i] && !(m_snapshot->stages[i].params == next.stages[i].params)) {
            m_stages[i]->update(on, next.stages[i].params);
        }
    }
    drain();
}

void Runner::release() {
    drain();
    m_snapshot = nullptr;
    m_stages.clear();
    m_states.clear();
    m_order.clear();
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
    m_frames = 0;
    const Layout layout(*next, kept);
    const MemoryKind memory = computeMemory(m_backend);
    const std::size_t stageCount = next->stages.size();
    for (Slot& slot : m_slots) {
        slot.outputs.assign(stageCount, nullptr);
        slot.cpuMarks.assign(stageCount + 2, {});
        slot.timing = {};
        slot.timing.stageMs.assign(stageCount, 0.0);
        slot.raw = Buffer(memory, layout.raw);
        slot.workspace = Buffer(memory, layout.workspace);
        for (Buffer& scratch : slot.scratch) scratch = Buffer(memory, layout.scratch);
        for (const std::size_t bytes : layout.kept) slot.kept.emplace_back(memory, bytes);
        for (std::size_t i = 0; i < stageCount + 2; ++i) slot.marks.emplace_back(m_backend, true);
    }
    const Exec on = exec(0);
    for (const StageState& stage : next->stages) {
        m_states.emplace_back();
        m_order.emplace_back();
        m_stages.push_back(nullptr);
        if (stage.bypass) continue;
        if (stage.plan.stateBytes > 0) {
            for (Buffer& state : m_states.back()) state = Buffer(memory, stage.plan.stateBytes);
            m_order.back() = Event(m_backend, false);
        }
        m_stages.back() = stage.type->create();
        m_stages.back()->prepare(on, stage.input, stage.plan, stage.params);
        m_stages.back()->update(on, stage.params);
    }
    drain();
    m_snapshot = std::move(next);
    m_kept = kept;
}

void Runner::mark(Slot& slot, std::size_t index) const {
    if (m_backend == Backend::Cuda) {
        slot.marks[index].record({m_backend, slot.stream.get()});
    } else {
        slot.cpuMarks[index] = std::chrono::steady_clock::now();
    }
}

/// Frame n since reset reads the state that frame n - 1 wrote.
Workspace Runner::workspaceOf(const Slot& slot, std::size_t stage) const {
    Workspace workspace{slot.workspace.data(), slot.workspace.bytes()};
    if (m_frames > 1) workspace.past = m_states[stage][(m_frames + 1) % 2].data();
    workspace.next = m_states[stage][m_frames % 2].data();
    return workspace;
}

int Runner::enqueue(const FrameJob& job) {
    if (!m_snapshot) throw Error("The pipeline is not ready; open a recording first.");
    if (!job.again || m_frames == 0) ++m_frames;
    const int index = m_next;
    m_next = (m_next + 1) % slotCount();
    Slot& slot = m_slots[static_cast<std::size_t>(index)];
    const Exec on = exec(index);

    mark(slot, 0);
    upload(on, slot.raw.data(), job.raw, m_snapshot->input.bytes());
    mark(slot, 1);
    if (job.outputFree != nullptr) job.outputFree->blockStream(on);

    const void* current = slot.raw.data();
    std::size_t lastActive = m_stages.size();
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        if (m_stages[i]) lastActive = i;
    }
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        if (m_stages[i]) {
            const StageState& state = m_snapshot->stages[i];
            void* target = slot.kept[i].data();
            if (target == nullptr)
                target = slot.scratch[current == slot.scratch[0].data() ? 1 : 0].data();
            if (i == lastActive && job.output != nullptr) target = job.output;
            const bool inOrder = state.plan.stateBytes > 0;
            if (inOrder) m_order[i].blockStream(on);
            if (m_backend == Backend::Cuda) device::pushRange(state.id.c_str());
            m_stages[i]->run(on, {current, &state.input}, {target, &state.plan.output},
                             workspaceOf(slot, i));
            if (m_backend == Backend::Cuda) device::popRange();
            if (inOrder) m_order[i].record(on);
            current = target;
        }
        slot.outputs[i] = current;
        mark(slot, i + 2);
    }
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
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        slot.timing.stageMs[i] = m_stages[i] ? between(i + 1, i + 2) : 0.0;
    }
    slot.timing.totalMs = between(0, m_stages.size() + 1);
    return slot.timing;
}

ConstTensorView Runner::keptOutput(int slot, std::string_view stage) const {
    const StageState& state = m_snapshot->stage(stage);
    const auto at = static_cast<std::size_t>(&state - m_snapshot->stages.data());
    return {m_slots[static_cast<std::size_t>(slot)].outputs[at], &state.plan.output};
}

} // namespace echolux
