// SPDX-License-Identifier: GPL-3.0-or-later
// Memory, marks and the end of one frame in flight.
#include "app/pipeline/frame_slot.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace echolux {

void HostTask::run(void* task) noexcept {
    auto& self = *static_cast<HostTask*>(task);
    try {
        self.stage->run(Exec{}, std::span(self.inputs).first(self.inputCount),
                        std::span(self.outputs).first(self.outputCount), self.workspace);
        for (std::size_t port = 0; port < self.outputCount; ++port) {
            const TensorView& output = self.outputs[port];
            if (self.pasts[port] != nullptr)
                std::memcpy(self.pasts[port], output.data, output.spec->bytes());
        }
    } catch (...) {
        self.failure = std::current_exception();
    }
}

FrameSlot::FrameSlot(Backend on)
    : backend(on), written(on, false), fetched(on, false), uploaded(on, false), shown(on, false),
      done(on, false) {
    lanes.emplace_back(on, "pipeline");
}

void FrameSlot::allocate(const FrameProgram& program) {
    const Schedule& schedule = program.schedule;
    const MemoryKind memory = computeMemory(backend);
    while (lanes.size() < schedule.lanes()) lanes.emplace_back(backend, "lane");
    outputs.assign(schedule.outputs.size(), nullptr);
    cpuMarks.assign(schedule.marks, {});
    timing = {};
    raw = Buffer(memory, program.snapshot->input.bytes());
    for (const std::size_t bytes : schedule.bufferBytes) buffers.emplace_back(memory, bytes);
    for (const std::size_t bytes : schedule.workspaceBytes) workspaces.emplace_back(memory, bytes);
    hostTasks.assign(schedule.tasks.size(), {});
    for (const TaskOutput& output : schedule.outputs)
        hostOutputs.push_back(
            schedule.needsHostCopy(output) ? Buffer(MemoryKind::Pinned, output.bytes) : Buffer());
    for (const Step& step : program.steps)
        hostWorkspaces.push_back(step.onHost ? Buffer(MemoryKind::Host, step.workspaceBytes)
                                             : Buffer());
    for (const Task& task : schedule.tasks)
        passed.push_back(task.isAwaited ? Event(backend, false) : Event());
    for (std::size_t i = 0; i < schedule.marks; ++i) marks.emplace_back(backend, true);
}

void FrameSlot::release() {
    raw = Buffer();
    buffers.clear();
    workspaces.clear();
    hostOutputs.clear();
    hostWorkspaces.clear();
    hostTasks.clear();
    passed.clear();
    marks.clear();
    seen.clear();
}

void FrameSlot::drain() const {
    for (const Stream& stream : lanes) stream.synchronize();
}

void FrameSlot::giveUp() {
    try {
        drain();
    } catch (const Error&) { // a broken device runs nothing more
    }
    for (HostTask& task : hostTasks) task = {};
}

void FrameSlot::mark(std::size_t index, const Exec& exec) {
    if (isCaptured) {
        if (isTimed) marks[index].recordInGraph(exec);
    } else if (backend == Backend::Cuda) {
        marks[index].record(exec);
    } else {
        cpuMarks[index] = std::chrono::steady_clock::now();
    }
}

double FrameSlot::msBetween(std::size_t from, std::size_t to) const {
    if (backend == Backend::Cuda) return device::elapsedMs(marks[from].get(), marks[to].get());
    return std::chrono::duration<double, std::milli>(cpuMarks[to] - cpuMarks[from]).count();
}

void FrameSlot::wait() const {
    done.synchronize();
    for (const HostTask& task : hostTasks)
        if (task.failure) std::rethrow_exception(task.failure);
}

void FrameSlot::waitShown() const {
    // An error on the host is known only when all work has run.
    const auto onHost = [](const HostTask& task) { return task.stage != nullptr; };
    if (std::ranges::any_of(hostTasks, onHost)) return wait();
    shown.synchronize();
}

} // namespace echolux
