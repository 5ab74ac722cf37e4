// SPDX-License-Identifier: GPL-3.0-or-later
// How frames end: images go to their targets, and work that only later frames need runs behind
// them.
#include "app/pipeline/runner.hpp"

#include "gpu/memory/transfer.hpp"

namespace echolux {

/// Work that is enqueued later waits until the targets that steps write to are free.
void Runner::awaitTargets(const FrameSlot& slot, const FrameJob& job) const {
    for (std::size_t i = 0; i < m_program.schedule.views.size(); ++i) {
        const ViewTarget& target = job.targets[i];
        if (m_program.writesTo(target, i) && target.free != nullptr)
            target.free->blockStream(slot.exec());
    }
}

/// Copies the images that no step wrote to its target.
void Runner::fillTargets(const FrameSlot& slot, const FrameJob& job) const {
    const Exec on = slot.exec();
    for (std::size_t i = 0; i < m_program.schedule.views.size(); ++i) {
        const ViewTarget& target = job.targets[i];
        if (target.pixels == nullptr || m_program.writesTo(target, i)) continue;
        if (target.free != nullptr) target.free->blockStream(on);
        copyWithin(on, target.pixels, outputOf(slot, m_program.schedule.views[i].output),
                   snapshot()->outputOf(snapshot()->views[i].source).bytes());
    }
}

/// Lane 0 waits for the other lanes, except for steps aside.
void Runner::joinLanes(const FrameSlot& slot) const {
    for (const std::size_t task : m_program.schedule.shownEnds)
        slot.passed[task].blockStream(slot.exec());
}

/// A lane behind all others: lane 0 where no step is aside, else a lane that shown images do not
/// wait for.
Exec Runner::endOf(const FrameSlot& slot) const {
    Exec last = slot.exec();
    for (const std::size_t task : m_program.schedule.ends) {
        if (!m_program.schedule.tasks[task].isAside) continue;
        const Exec lane = slot.lane(m_program.schedule.tasks[task].lane);
        if (last.stream == slot.exec().stream) {
            last = lane;
            slot.shown.blockStream(last);
        } else {
            slot.passed[task].blockStream(last);
        }
    }
    return last;
}

} // namespace echolux
