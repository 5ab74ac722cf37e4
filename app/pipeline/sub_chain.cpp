// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the first ports back to the recording.
#include "app/pipeline/sub_chain.hpp"

#include "gpu/stage/registry.hpp"

#include <algorithm>
#include <vector>

namespace echolux {

PipelineConfig chainTo(const Snapshot& snapshot, Source last, Role kept) {
    PipelineConfig chain = toFullConfig(snapshot);
    std::vector<StageConfig> stages;
    chain.links.clear();
    chain.views.clear();
    for (Source at = last; !at.isRecording(); at = snapshot.stages[at.stage].sources[0]) {
        const StageState& stage = snapshot.stages[at.stage];
        const bool isKept = kept != Role::None && stage.type->role == kept;
        if (stage.type->inputs.size() > 1 && !isKept) continue;
        // A stage reads the first output unless a link says otherwise.
        const PortName output = outputName(snapshot, at);
        if (at.output > 0 && stages.empty()) chain.views.push_back({output.stage, "", output});
        if (at.output > 0 && !stages.empty()) {
            const StageType& taker = stageType(stages.back().type);
            chain.links.push_back({output, {taker.inputs[0].name, stages.back().id}});
        }
        stages.push_back(std::move(chain.stages[at.stage]));
    }
    std::ranges::reverse(stages);
    chain.stages = std::move(stages);
    return chain;
}

PipelineConfig chainTo(const Snapshot& snapshot, const StageState* last) {
    if (last == nullptr) return chainTo(snapshot, snapshot.views.front().source);
    return chainTo(snapshot, Source{static_cast<std::size_t>(last - snapshot.stages.data())});
}

} // namespace echolux
