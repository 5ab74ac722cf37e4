// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tools/measurements/sweep_task.hpp"

#include "app/sweep/frame_imager.hpp"
#include "app/sweep/same_echoes.hpp"
#include "gpu/core/failure_text.hpp"

#include <exception>

namespace echolux {

void SweepProgress::add(Swept swept) {
    const std::lock_guard lock(m_mutex);
    m_found.swept.push_back(std::move(swept));
}

void SweepProgress::end(std::string problem) {
    const std::lock_guard lock(m_mutex);
    m_found.ended = true;
    m_found.problem = std::move(problem);
}

SweepProgress::Found SweepProgress::take() {
    const std::lock_guard lock(m_mutex);
    return {std::exchange(m_found.swept, {}), m_found.ended, m_found.problem};
}

void runSweep(const SweepTask& task, SweepProgress& progress, const std::stop_token& stop) {
    try {
        const Workbench::RawFrame raw = task.raw();
        FrameImager imager(task.place, *task.snapshot, {});
        for (const ParamValue& value : task.values) {
            if (stop.stop_requested()) break;
            progress.add(sweptAt(ParamTable::format(value), task.measurements, [&] {
                const SameEchoes same = onSameEchoes(
                    *task.snapshot, withValue(*task.snapshot, task.stage, task.key, value));
                return same.inReference(imager.image(same.snapshot, raw.bytes, raw.frame));
            }));
        }
        progress.end({});
    } catch (const std::exception& error) {
        progress.end(failureText(error));
    }
}

} // namespace echolux
