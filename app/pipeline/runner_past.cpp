// SPDX-License-Identifier: GPL-3.0-or-later
// What one frame leaves to the next: states, and outputs that the next frame reads. Each series
// holds both twice, so that its last frame can run again.
#include "app/pipeline/runner.hpp"
#include "gpu/memory/transfer.hpp"

#include <algorithm>

namespace echolux {

/// Frame n since the reset reads what frame n - 1 of its series wrote. The first frame reads
/// `none`.
const Buffer& Runner::pastOf(const Slot& slot, const std::array<Buffer, 2> (&states)[2],
                             const Buffer& none) const {
    const std::size_t frames = m_frames[slot.series];
    return frames > 1 ? states[slot.series][(frames + 1) % 2] : none;
}

const Buffer& Runner::nextOf(const Slot& slot, const std::array<Buffer, 2> (&states)[2]) const {
    return states[slot.series][m_frames[slot.series] % 2];
}

/// NOTE: no frame writes the zeros, so frames that are in flight before a reset do no harm.
void Runner::allocatePasts() {
    std::size_t longest = 0;
    std::size_t longestOnHost = 0;
    m_pasts.resize(m_schedule.outputs.size());
    for (std::size_t i = 0; i < m_pasts.size(); ++i) {
        const TaskOutput& output = m_schedule.outputs[i];
        for (const Series series : {kShown, kAside}) {
            for (std::size_t parity = 0; parity < 2; ++parity) {
                if (output.feedsDevice)
                    m_pasts[i].onDevice[series][parity] =
                        Buffer(computeMemory(m_backend), output.bytes);
                if (output.feedsHost)
                    m_pasts[i].onHost[series][parity] = Buffer(MemoryKind::Pinned, output.bytes);
            }
        }
        if (output.feedsDevice) longest = std::max(longest, output.bytes);
        if (output.feedsHost) longestOnHost = std::max(longestOnHost, output.bytes);
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

const void* Runner::inputOf(const Slot& slot, const TaskInput& input) const {
    if (input.ofFrameBefore) return pastOf(slot, m_pasts[input.output].onDevice, m_noPast).data();
    return outputOf(slot, input.output);
}

/// Copies an output of the task that the next frame reads. Where a step on the host makes it for a
/// step on the host, it is made in place and needs no copy.
void Runner::keepForNext(const Exec& exec, const Slot& slot, const Task& task) const {
    for (const std::size_t output : task.outputs) {
        if (output == Task::kUnread || !m_schedule.outputs[output].isFedBack()) continue;
        const TaskOutput& made = m_schedule.outputs[output];
        void* onDevice = nextOf(slot, m_pasts[output].onDevice).data();
        if (made.feedsDevice && task.onHost)
            upload(exec, onDevice, slot.hostOutputs[output].data(), made.bytes);
        if (made.feedsDevice && !task.onHost)
            copyWithin(exec, onDevice, slot.outputs[output], made.bytes);
        if (made.feedsHost && !task.onHost)
            download(exec, nextOf(slot, m_pasts[output].onHost).data(), slot.outputs[output],
                     made.bytes);
    }
}

std::vector<std::byte> Runner::stateOf(std::string_view stage) const {
    if (m_snapshot == nullptr || m_frames[kShown] == 0) return {};
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const Step& step = m_steps[i];
        if (step.stages.size() != 1 || m_snapshot->stages[step.first()].id != stage) continue;
        drain();
        const Buffer& state = m_workers[i].states[kShown][m_frames[kShown] % 2];
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
