// SPDX-License-Identifier: GPL-3.0-or-later
// Compares snapshots, value by value.
#include "app/session/stream/parameter_trail.hpp"

#include "app/live/recorder.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace echolux {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

/// The values of `now` that differ from those of `before`; all of them where it is null, or where
/// it is another graph.
Values changes(const Snapshot* before, const Snapshot& now) {
    Values changed;
    const bool isOther = before == nullptr || !sameGraph(*before, now);
    if (isOther) changed.emplace_back("name", now.name);
    for (std::size_t i = 0; i < now.stages.size(); ++i) {
        const StageState& stage = now.stages[i];
        const StageState* old = isOther ? nullptr : &before->stages[i];
        if (old == nullptr || old->bypass != stage.bypass)
            changed.emplace_back(stage.id + ".bypass", stage.bypass ? "true" : "false");
        if (old != nullptr && old->params == stage.params) continue;
        for (const ParamRow& row : stage.params.table().rows()) {
            const ParamValue value = stage.params.get(row.key);
            if (old == nullptr || old->params.get(row.key) != value)
                changed.emplace_back(fmt::format("{}.{}", stage.id, row.key),
                                     ParamTable::format(value));
        }
    }
    return changed;
}

} // namespace

void ParameterTrail::configure(const ImageFormat& format) {
    if (format.snapshot != nullptr) m_snapshot = format.snapshot;
}

void ParameterTrail::take(const Exec& /*exec*/, const FrameRun& frames,
                          const RunImages& /*images*/) {
    if (frames.again || m_snapshot == m_told) return;
    m_recorder.pipeline(frames.first, changes(m_told.get(), *m_snapshot));
    m_told = m_snapshot;
}

void ParameterTrail::done(const FrameRun& /*frames*/, std::uint64_t /*serial*/,
                          Clock::time_point /*arrived*/) {}

} // namespace echolux
