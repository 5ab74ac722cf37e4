// SPDX-License-Identifier: GPL-3.0-or-later
// How frames end: what is shown first, what only later frames take behind it.
#include "app/pipeline/runner.hpp"

#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <exception>

namespace echolux {

/// Lane 0 waits for the others, but for what is aside, and fills the views that show what another
/// one has.
void Runner::finish(Slot& slot, const FrameJob& job) {
    const Exec on = laneOf(slot, 0);
    for (const std::size_t task : m_schedule.shownEnds) slot.passed[task].blockStream(on);
    for (std::size_t i = 0; i < m_schedule.views.size(); ++i) {
        const ViewData& view = m_schedule.views[i];
        const ViewTarget target = job.target(i);
        if (view.isDirect || target.pixels == nullptr) continue;
        copyWithin(on, target.pixels, outputOf(slot, view.output),
                   m_snapshot->outputOf(m_snapshot->views[i].source).bytes());
    }
}

/// A lane behind all others: lane 0 where nothing is aside, else one that what is shown does not
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
    // What fails on the host is known when all has run.
    const auto onHost = [](const HostTask& task) { return task.stage != nullptr; };
    if (std::ranges::any_of(slotAt(slot).hostTasks, onHost)) return wait(slot);
    slotAt(slot).shown.synchronize();
}

} // namespace echolux
