// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the stages whose windows slide.
#include "app/pipeline/past_images.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace echolux {
namespace {

/// Number of images that a window of the stage holds; 0 for a stage that gathers none.
std::int64_t gatheredBy(const Snapshot& snapshot, const StageState& stage) {
    const FrameSpec& output = stage.plan.outputs.front();
    const bool begins = output.slides && !snapshot.outputOf(stage.sources[0]).slides;
    return begins && !stage.bypass ? output.axes.front().size : 0;
}

} // namespace

std::int64_t imagesBefore(const Snapshot& snapshot) {
    std::int64_t most = 1;
    for (const StageState& stage : snapshot.stages)
        most = std::max(most, gatheredBy(snapshot, stage));
    return most - 1;
}

bool changesPast(const Snapshot& from, const Snapshot& to) {
    if (!sameGraph(from, to)) return true;
    for (std::size_t i = 0; i < to.stages.size(); ++i) {
        const StageState& was = from.stages[i];
        if (was.params == to.stages[i].params && was.bypass == to.stages[i].bypass) continue;
        const std::vector<bool> reached = reachedFrom(to, i);
        for (std::size_t k = 0; k < reached.size(); ++k)
            if (k != i && reached[k] && gatheredBy(to, to.stages[k]) > 0) return true;
    }
    return false;
}

} // namespace echolux
