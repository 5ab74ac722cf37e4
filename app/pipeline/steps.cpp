// SPDX-License-Identifier: GPL-3.0-or-later
// Which stages run together.
#include "app/pipeline/steps.hpp"

#include <algorithm>
#include <span>

namespace echolux {
namespace {

ChainStage chainStage(const StageState& stage) {
    return {stage.type, &stage.input, &stage.plan, &stage.params};
}

/// Active stages up to the first one whose output is kept.
std::size_t reach(const Snapshot& snapshot, std::span<const std::size_t> active,
                  const std::vector<std::string>& kept) {
    const auto end = std::ranges::find_if(active, [&](std::size_t i) {
        return std::ranges::find(kept, snapshot.stages[i].id) != kept.end();
    });
    return static_cast<std::size_t>(end - active.begin()) + (end != active.end() ? 1 : 0);
}

} // namespace

std::string Step::label(const Snapshot& snapshot) const {
    const std::string& id = snapshot.stages[first()].id;
    return fusion == nullptr ? id : id + " ... " + snapshot.stages[last()].id;
}

std::vector<ChainStage> Step::chain(const Snapshot& snapshot) const {
    std::vector<ChainStage> made;
    for (const std::size_t i : stages) made.push_back(chainStage(snapshot.stages[i]));
    return made;
}

std::vector<Step> planSteps(const Snapshot& snapshot, Backend backend,
                            const std::vector<std::string>& kept, Fusing fusing) {
    std::vector<std::size_t> active;
    std::vector<ChainStage> chain;
    for (std::size_t i = 0; i < snapshot.stages.size(); ++i) {
        if (snapshot.stages[i].bypass) continue;
        active.push_back(i);
        chain.push_back(chainStage(snapshot.stages[i]));
    }
    std::vector<Step> steps;
    for (std::size_t at = 0; at < active.size();) {
        const std::span<const std::size_t> rest = std::span(active).subspan(at);
        const std::span<const ChainStage> candidates =
            std::span(chain).subspan(at, reach(snapshot, rest, kept));
        const FusionMatch match =
            fusing == Fusing::Allowed ? findFusion(backend, candidates) : FusionMatch{};
        Step step;
        step.stages.assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(match.stages));
        step.fusion = match.fusion;
        if (match.fusion != nullptr) {
            const FusionPlan plan = match.fusion->plan(candidates.first(match.stages));
            step.workspaceBytes = plan.workspaceBytes;
            step.heldBytes = plan.heldBytes;
        } else {
            const StagePlan& plan = snapshot.stages[step.first()].plan;
            step.workspaceBytes = plan.workspaceBytes;
            step.stateBytes = plan.stateBytes;
            step.heldBytes = plan.heldBytes;
        }
        at += match.stages;
        steps.push_back(std::move(step));
    }
    return steps;
}

} // namespace echolux
