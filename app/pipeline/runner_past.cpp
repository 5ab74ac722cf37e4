// SPDX-License-Identifier: GPL-3.0-or-later
// What one frame leaves to the next: states, and outputs that the next frame reads. Each series
// holds both twice, so that its last frame can run again.
#include "app/pipeline/runner.hpp"
#include "gpu/memory/transfer.hpp"

#include <algorithm>

namespace echolux {

/// NOTE: no frame writes the zeros, so frames that are in flight before a reset do no harm.
void Runner::allocatePasts(const FrameProgram& program) {
    std::size_t longest = 0;
    std::size_t longestOnHost = 0;
    for (const TaskOutput& output : program.schedule.outputs) {
        Past& past = m_pasts.emplace_back();
        if (output.feedsDevice) {
            past.onDevice = SeriesBuffers(computeMemory(m_backend), output.bytes);
            longest = std::max(longest, output.bytes);
        }
        if (output.feedsHost) {
            past.onHost = SeriesBuffers(MemoryKind::Pinned, output.bytes);
            longestOnHost = std::max(longestOnHost, output.bytes);
        }
    }
    if (longest > 0) {
        m_noPast = Buffer(computeMemory(m_backend), longest);
        fillBytes(exec(0), m_noPast.data(), 0, longest);
    }
    if (longestOnHost > 0) {
        m_noPastOnHost = Buffer(MemoryKind::Pinned, longestOnHost);
        fillBytes(Exec{}, m_noPastOnHost.data(), 0, longestOnHost);
    }
}

const void* Runner::inputOf(const FrameSlot& slot, const TaskInput& input) const {
    if (input.ofFrameBefore)
        return m_pasts[input.output].onDevice.past(slot.place, m_noPast).data();
    return outputOf(slot, input.output);
}

/// Copies an output of the task that the next frame reads. Where a step on the host makes it for a
/// step on the host, it is made in place and needs no copy.
void Runner::keepForNext(const Exec& exec, const FrameSlot& slot, const Task& task) const {
    for (const std::size_t output : task.outputs) {
        if (output == Task::kUnread || !m_program.schedule.outputs[output].isFedBack()) continue;
        const TaskOutput& made = m_program.schedule.outputs[output];
        void* onDevice = m_pasts[output].onDevice.next(slot.place).data();
        if (made.feedsDevice && task.onHost)
            upload(exec, onDevice, slot.hostOutputs[output].data(), made.bytes);
        if (made.feedsDevice && !task.onHost)
            copyWithin(exec, onDevice, slot.outputs[output], made.bytes);
        if (made.feedsHost && !task.onHost)
            download(exec, m_pasts[output].onHost.next(slot.place).data(), slot.outputs[output],
                     made.bytes);
    }
}

std::vector<std::byte> Runner::stateOf(std::string_view stage) const {
    const SeriesPlace last = lastOf(Series::Shown);
    if (snapshot() == nullptr || last.frames == 0) return {};
    for (std::size_t i = 0; i < m_program.steps.size(); ++i) {
        const Step& step = m_program.steps[i];
        if (step.stages.size() != 1 || snapshot()->stages[step.first()].id != stage) continue;
        drain();
        const Buffer& state = m_workers[i].states.next(last);
        std::vector<std::byte> copy(state.bytes());
        if (copy.empty()) return copy;
        const Exec on = step.onHost ? Exec{Backend::Cpu, nullptr} : exec(0);
        downloadLine(on, copy.data(), state.data(), copy.size(), 1, copy.size());
        if (on.backend == Backend::Cuda) device::synchronize(on.stream);
        return copy;
    }
    return {};
}

} // namespace echolux
