// SPDX-License-Identifier: GPL-3.0-or-later
// Steps on the host between steps on CUDA. A stream runs them in its order. Their inputs and
// outputs are copied to the side that reads them.
#include "app/pipeline/runner.hpp"
#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <cstring>

namespace echolux {

Exec Runner::execOf(const Step& step) const { return step.onHost ? Exec{} : exec(0); }

void Runner::HostTask::run(void* task) noexcept {
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

void Runner::allocateForHost(Slot& slot, const std::vector<Step>& steps) const {
    slot.hostTasks.assign(steps.size(), {});
    for (const TaskOutput& output : m_schedule.outputs)
        slot.hostOutputs.push_back(
            m_schedule.needsHostCopy(output) ? Buffer(MemoryKind::Pinned, output.bytes) : Buffer());
    slot.hostWorkspaces.resize(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].onHost)
            slot.hostWorkspaces[i] = Buffer(MemoryKind::Host, steps[i].workspaceBytes);
    }
}

const void* Runner::hostInputOf(const Slot& slot, const FrameJob& job,
                                const TaskInput& input) const {
    if (input.output == Task::kRecording) return job.raw;
    if (input.ofFrameBefore)
        return pastOf(slot, m_pasts[input.output].onHost, m_noPastOnHost).data();
    return slot.hostOutputs[input.output].data();
}

/// Copies the outputs of the task to the side that reads them.
void Runner::copyAcross(const Exec& exec, const Slot& slot, const Task& task) const {
    for (const std::size_t output : task.outputs) {
        if (output == Task::kUnread) continue;
        const TaskOutput& made = m_schedule.outputs[output];
        void* onHost = slot.hostOutputs[output].data();
        if (made.toHost) download(exec, onHost, slot.outputs[output], made.bytes);
        if (made.toDevice) upload(exec, slot.outputs[output], onHost, made.bytes);
    }
}

/// Prepares, before the frame is enqueued, the data that the stream's thread reads when it reaches
/// the steps.
void Runner::prepareHostTasks(Slot& slot, const FrameJob& job) {
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const Step& step = m_steps[i];
        if (!step.onHost) continue;
        const Task& task = m_schedule.tasks[i];
        const StageState& state = m_snapshot->stages[step.first()];
        HostTask& made = slot.hostTasks[i];
        made = {};
        made.stage = m_workers[i].stage.get();
        made.inputCount = task.inputs.size();
        for (std::size_t port = 0; port < made.inputCount; ++port)
            made.inputs[port] = {hostInputOf(slot, job, task.inputs[port]), &state.inputs[port]};
        made.outputCount = task.outputs.size();
        for (std::size_t port = 0; port < made.outputCount; ++port) {
            const std::size_t output = task.outputs[port];
            made.outputs[port] = {output == Task::kUnread ? nullptr
                                                          : slot.hostOutputs[output].data(),
                                  &state.plan.outputs[port]};
            if (output != Task::kUnread && m_schedule.outputs[output].feedsHost)
                made.pasts[port] = nextOf(slot, m_pasts[output].onHost).data();
        }
        made.workspace = statesOf(slot, m_workers[i]);
        made.workspace.data = slot.hostWorkspaces[i].data();
        made.workspace.bytes = slot.hostWorkspaces[i].bytes();
    }
}

Crossings Runner::crossings() const {
    Crossings made;
    for (const TaskOutput& output : m_schedule.outputs) {
        made.toHost += copiesToHost(output);
        made.toDevice += copiesToDevice(output);
        made.bytesToHost += copiesToHost(output) * output.bytes;
        made.bytesToDevice += copiesToDevice(output) * output.bytes;
    }
    return made;
}

std::size_t Runner::copiesToHost(const TaskOutput& output) const {
    const bool feeds = output.feedsHost && !m_schedule.tasks[output.task].onHost;
    return (output.toHost ? 1U : 0U) + (feeds ? 1U : 0U);
}

std::size_t Runner::copiesToDevice(const TaskOutput& output) const {
    const bool feeds = output.feedsDevice && m_schedule.tasks[output.task].onHost;
    return (output.toDevice ? 1U : 0U) + (feeds ? 1U : 0U);
}

/// download() and upload() count when a copy is enqueued. A captured frame enqueues its copies only
/// once.
void Runner::countCrossings() const {
    for (const TaskOutput& output : m_schedule.outputs) {
        for (std::size_t i = 0; i < copiesToHost(output); ++i) countImageToHost();
        for (std::size_t i = 0; i < copiesToDevice(output); ++i) countUpload(output.bytes);
    }
}

} // namespace echolux
