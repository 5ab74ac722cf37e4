// SPDX-License-Identifier: GPL-3.0-or-later
// How frames end: images go to their targets, and work that only later frames need runs behind
// them.
#include "app/pipeline/runner.hpp"

#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <exception>

namespace echolux {

/// True where a step writes the image of a view directly to its target.
bool Runner::writesToTarget(std::size_t view, const ViewTarget& target) const {
    return target.pixels != nullptr && m_schedule.views[view].isDirect && !m_copiesImages;
}

/// Work that is enqueued later waits until the targets that steps write to are free.
void Runner::awaitTargets(const Slot& slot, const FrameJob& job) const {
    for (std::size_t i = 0; i < m_schedule.views.size(); ++i) {
        const ViewTarget& target = job.targets[i];
        if (writesToTarget(i, target) && target.free != nullptr)
            target.free->blockStream(laneOf(slot, 0));
    }
}

/// Copies the images that no step wrote to its target.
void Runner::fillTargets(const Slot& slot, const FrameJob& job) const {
    const Exec on = laneOf(slot, 0);
    for (std::size_t i = 0; i < m_schedule.views.size(); ++i) {
        const ViewTarget& target = job.targets[i];
        if (target.pixels == nullptr || writesToTarget(i, target)) continue;
        if (target.free != nullptr) target.free->blockStream(on);
        copyWithin(on, target.pixels, outputOf(slot, m_schedule.views[i].output),
                   m_snapshot->outputOf(m_snapshot->views[i].source).bytes());
    }
}

/// Lane 0 waits for the other lanes, except for steps aside.
void Runner::joinLanes(const Slot& slot) const {
    for (const std::size_t task : m_schedule.shownEnds)
        slot.passed[task].blockStream(laneOf(slot, 0));
}

/// A lane behind all others: lane 0 where no step is aside, else a lane that shown images do not
/// wait for.
Exec Runner::endOf(const Slot& slot) const {
    Exec last = laneOf(slot, 0);
    for (const std::size_t task : m_schedule.ends) {
        if (!m_schedule.tasks[task].isAside) continue;
        const Exec lane = laneOf(slot, m_schedule.tasks[task].lane);
        if (last.stream == laneOf(slot, 0).stream) {
            last = lane;
            slot.shown.blockStream(last);
        } else {
            slot.passed[task].blockStream(last);
        }
    }
    return last;
}

void Runner::wait(int slot) const {
    slotAt(slot).done.synchronize();
    for (const HostTask& task : slotAt(slot).hostTasks)
        if (task.failure) std::rethrow_exception(task.failure);
}

void Runner::waitShown(int slot) const {
    // An error on the host is known only when all work has run.
    const auto onHost = [](const HostTask& task) { return task.stage != nullptr; };
    if (std::ranges::any_of(slotAt(slot).hostTasks, onHost)) return wait(slot);
    slotAt(slot).shown.synchronize();
}

} // namespace echolux
