// SPDX-License-Identifier: GPL-3.0-or-later
// Steps on the host between steps on CUDA. A stream runs them in its order. Their inputs and
// outputs are copied to the side that reads them.
#include "app/pipeline/runner.hpp"
#include "gpu/memory/transfer.hpp"

namespace echolux {

const void* Runner::hostInputOf(const FrameSlot& slot, const FrameJob& job,
                                const TaskInput& input) const {
    if (input.output == Task::kRecording) return job.raw;
    if (input.ofFrameBefore)
        return m_pasts[input.output].onHost.past(slot.place, m_noPastOnHost).data();
    return slot.hostOutputs[input.output].data();
}

/// Copies the outputs of the task to the side that reads them.
void Runner::copyAcross(const Exec& exec, const FrameSlot& slot, const Task& task) const {
    for (const std::size_t output : task.outputs) {
        if (output == Task::kUnread) continue;
        const TaskOutput& made = m_program.schedule.outputs[output];
        void* onHost = slot.hostOutputs[output].data();
        if (made.toHost) download(exec, onHost, slot.outputs[output], made.bytes);
        if (made.toDevice) upload(exec, slot.outputs[output], onHost, made.bytes);
    }
}

/// Prepares, before the frame is enqueued, the data that the stream's thread reads when it reaches
/// the steps.
void Runner::prepareHostTasks(FrameSlot& slot, const FrameJob& job) {
    for (std::size_t i = 0; i < m_program.steps.size(); ++i) {
        const Step& step = m_program.steps[i];
        if (!step.onHost) continue;
        const Task& task = m_program.schedule.tasks[i];
        const StageState& state = snapshot()->stages[step.first()];
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
            if (output != Task::kUnread && m_program.schedule.outputs[output].feedsHost)
                made.pasts[port] = m_pasts[output].onHost.next(slot.place).data();
        }
        made.workspace = statesOf(slot, m_workers[i]);
        made.workspace.data = slot.hostWorkspaces[i].data();
        made.workspace.bytes = slot.hostWorkspaces[i].bytes();
    }
}

/// download() and upload() count when a copy is enqueued. A captured frame enqueues its copies only
/// once.
void Runner::countCrossings() const {
    for (const TaskOutput& output : m_program.schedule.outputs) {
        for (std::size_t i = 0; i < m_program.copiesToHost(output); ++i) countImageToHost();
        for (std::size_t i = 0; i < m_program.copiesToDevice(output); ++i)
            countUpload(output.bytes);
    }
}

} // namespace echolux
