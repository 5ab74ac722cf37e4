// SPDX-License-Identifier: GPL-3.0-or-later
// Back along the first ports.
#include "app/pipeline/sub_chain.hpp"

#include <algorithm>
#include <vector>

namespace echolux {

PipelineConfig chainTo(const Snapshot& snapshot, Source last) {
    PipelineConfig chain = toFullConfig(snapshot);
    std::vector<StageConfig> stages;
    for (Source at = last; !at.isRecording(); at = snapshot.stages[at.stage].sources[0]) {
        if (snapshot.stages[at.stage].type->portCount() == 1)
            stages.push_back(std::move(chain.stages[at.stage]));
    }
    std::ranges::reverse(stages);
    chain.stages = std::move(stages);
    chain.links.clear();
    chain.views.clear();
    return chain;
}

PipelineConfig chainToType(const Snapshot& snapshot, std::string_view typeId) {
    const StageState* stage = snapshot.findType(typeId);
    if (stage == nullptr) return chainTo(snapshot, snapshot.views.front().source);
    return chainTo(snapshot, {static_cast<std::size_t>(stage - snapshot.stages.data())});
}

} // namespace echolux
