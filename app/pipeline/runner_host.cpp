// SPDX-License-Identifier: GPL-3.0-or-later
// Steps on the host between steps on CUDA: a stream runs them in its order, and what they take and
// make is copied where the other side wants it.
#include "app/pipeline/runner.hpp"
#include "gpu/memory/transfer.hpp"

#include <algorithm>

namespace echolux {

Exec Runner::execOf(const Step& step) const { return step.onHost ? Exec{} : exec(0); }

void Runner::HostTask::run(void* task) noexcept {
    auto& self = *static_cast<HostTask*>(task);
    try {
        self.stage->run(Exec{}, std::span(self.inputs).first(self.ports), self.output,
                        self.workspace);
    } catch (...) {
        self.failure = std::current_exception();
    }
}

void Runner::allocateForHost(Slot& slot, const std::vector<Step>& steps) const {
    slot.hostTasks.assign(steps.size(), {});
    slot.hostOutputs.resize(steps.size());
    slot.hostWorkspaces.resize(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (m_schedule.needsHostCopy(i))
            slot.hostOutputs[i] = Buffer(MemoryKind::Pinned, m_schedule.tasks[i].outputBytes);
        if (steps[i].onHost)
            slot.hostWorkspaces[i] = Buffer(MemoryKind::Host, steps[i].workspaceBytes);
    }
}

const void* Runner::hostOutputOf(const Slot& slot, const FrameJob& job, std::size_t task) const {
    return task == Task::kRecording ? job.raw : slot.hostOutputs[task].data();
}

/// Before the frame is enqueued: what the stream's thread reads when it comes to the steps.
void Runner::prepareHostTasks(Slot& slot, const FrameJob& job) {
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const Step& step = m_steps[i];
        if (!step.onHost) continue;
        const Task& task = m_schedule.tasks[i];
        const StageState& state = m_snapshot->stages[step.first()];
        HostTask& made = slot.hostTasks[i];
        made = {};
        made.stage = m_workers[i].stage.get();
        made.ports = task.inputs.size();
        for (std::size_t port = 0; port < made.ports; ++port)
            made.inputs[port] = {hostOutputOf(slot, job, task.inputs[port]), &state.inputAt(port)};
        made.output = {slot.hostOutputs[i].data(), &state.plan.output};
        made.workspace = statesOf(slot, m_workers[i]);
        made.workspace.data = slot.hostWorkspaces[i].data();
        made.workspace.bytes = slot.hostWorkspaces[i].bytes();
    }
}

Crossings Runner::crossings() const {
    Crossings made;
    for (const Task& task : m_schedule.tasks) {
        if (task.toHost) made.bytesToHost += task.outputBytes;
        if (task.toDevice) made.bytesToDevice += task.outputBytes;
        made.toHost += task.toHost ? 1 : 0;
        made.toDevice += task.toDevice ? 1 : 0;
    }
    return made;
}

/// download() and upload() count what is enqueued, which a captured frame is once.
void Runner::countCrossings() const {
    for (const Task& task : m_schedule.tasks) {
        if (task.toHost) countImageToHost();
        if (task.toDevice) countUpload(task.outputBytes);
    }
}

} // namespace echolux
