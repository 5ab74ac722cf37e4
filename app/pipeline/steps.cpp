// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which stages run together.
#include "app/pipeline/steps.hpp"

#include "app/pipeline/view_motion.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

ChainStage chainStage(const StageState& stage) {
    return {stage.type, &stage.input(), &stage.plan, &stage.params};
}

/// In one clause, why outputs that are read do not use the tuned kernel.
std::string untunedOf(const StagePlan& plan, const std::vector<bool>& wanted) {
    std::string reasons;
    for (std::size_t i = 0; i < std::min(plan.untuned.size(), wanted.size()); ++i) {
        if (!wanted[i] || plan.untuned[i].empty()) continue;
        reasons += (reasons.empty() ? "" : "; ") + plan.untuned[i];
    }
    return reasons;
}

/// The graph of the active stages that are needed, with the readers of each output.
class ActiveGraph {
public:
    ActiveGraph(const Snapshot& snapshot, const std::vector<std::string>& kept)
        : m_snapshot(snapshot), m_takers(snapshot.stages.size()),
          m_ends(snapshot.stages.size(), false), m_needed(snapshot.stages.size(), false),
          m_shown(snapshot.stages.size(), false) {
        for (const StageState& stage : snapshot.stages)
            m_wanted.emplace_back(stage.type->outputs.size(), false);
        for (const ViewState& view : snapshot.views) {
            end(snapshot.resolved(view.source));
            if (const auto motion = motionOf(snapshot, view))
                for (const Source source : *motion) end(source);
        }
        for (const std::string& each : kept) end(snapshot.resolved(keptSource(snapshot, each)));
        m_shown = m_needed;
        for (std::size_t i = snapshot.stages.size(); i-- > 0;) {
            if (!m_shown[i]) continue;
            for (const Source source : inputsOf(i))
                if (!source.isRecording() && !source.ofFrameBefore) m_shown[source.stage] = true;
        }
        for (bool grows = true; grows;) { // one round suffices without links of the frame before
            grows = false;
            for (std::size_t i = snapshot.stages.size(); i-- > 0;) {
                if (!m_needed[i]) continue;
                for (const Source source : inputsOf(i)) {
                    if (source.isRecording() || m_needed[source.stage]) continue;
                    m_needed[source.stage] = grows = true;
                }
            }
        }
        for (std::size_t i = 0; i < snapshot.stages.size(); ++i) {
            if (m_needed[i]) take(i);
        }
    }

    bool isNeeded(std::size_t stage) const { return m_needed[stage]; }
    /// True where a view needs the stage, or something kept of the same frame.
    bool isShown(std::size_t stage) const { return m_shown[stage]; }
    /// Per output: true where it is read.
    const std::vector<bool>& wantedOf(std::size_t stage) const { return m_wanted[stage]; }
    /// True where a further output is read.
    bool wantsFurther(std::size_t stage) const {
        const std::vector<bool>& wanted = m_wanted[stage];
        return std::find(wanted.begin() + 1, wanted.end(), true) != wanted.end();
    }
    /// Stages that read its outputs of this frame, by their places.
    const std::vector<std::size_t>& takersOf(std::size_t stage) const { return m_takers[stage]; }
    std::vector<Source> inputsOf(std::size_t stage) const {
        std::vector<Source> inputs;
        for (const Source source : m_snapshot.stages[stage].sources)
            inputs.push_back(m_snapshot.resolved(source));
        return inputs;
    }
    /// `stage` and the stages behind it, as long as each output has a single reader.
    std::vector<std::size_t> chainFrom(std::size_t stage) const {
        std::vector<std::size_t> chain{stage};
        while (!m_ends[stage] && m_takers[stage].size() == 1 && isFilter(m_takers[stage].front())) {
            stage = m_takers[stage].front();
            chain.push_back(stage);
        }
        return chain;
    }
    /// True where no one reads its output but several stages, which all have this single input.
    bool isFork(std::size_t stage) const {
        return !m_ends[stage] && m_takers[stage].size() > 1 &&
               std::ranges::all_of(m_takers[stage], [this](auto each) { return isFilter(each); });
    }

private:
    bool isFilter(std::size_t stage) const {
        return m_snapshot.stages[stage].type->inputs.size() == 1;
    }
    void take(std::size_t stage) {
        for (const Source source : inputsOf(stage)) {
            if (source.isRecording()) continue;
            m_wanted[source.stage][source.output] = true;
            if (source.output > 0 || source.ofFrameBefore) m_ends[source.stage] = true;
            if (!source.ofFrameBefore) m_takers[source.stage].push_back(stage);
        }
    }
    void end(Source source) {
        if (source.isRecording()) return;
        m_ends[source.stage] = true;
        m_needed[source.stage] = true;
        m_wanted[source.stage][source.output] = true;
    }

    const Snapshot& m_snapshot;
    std::vector<std::vector<std::size_t>> m_takers;
    /// True where an output is kept, shown or fed back, or where a further output is read.
    std::vector<bool> m_ends;
    std::vector<bool> m_needed;
    std::vector<bool> m_shown;
    std::vector<std::vector<bool>> m_wanted; ///< per output
};

class StepPlanner {
public:
    StepPlanner(const Snapshot& snapshot, Backend backend, const std::vector<std::string>& kept,
                Fusing fusing)
        : m_snapshot(snapshot), m_backend(backend), m_fusing(fusing), m_graph(snapshot, kept),
          m_done(snapshot.stages.size(), false) {}

    std::vector<Step> plan() {
        for (std::size_t i = 0; i < m_snapshot.stages.size(); ++i) {
            if (m_snapshot.stages[i].bypass || !m_graph.isNeeded(i) || m_done[i]) continue;
            const std::vector<std::size_t> chain = m_graph.chainFrom(i);
            if (!fuseBranches(chain)) add(chain, matchOf(chain));
        }
        std::stable_partition(m_steps.begin(), m_steps.end(),
                              [](const Step& step) { return !step.isAside; });
        return std::move(m_steps);
    }

private:
    FusionMatch matchOf(const std::vector<std::size_t>& stages) const {
        if (m_fusing == Fusing::Never) return {};
        return findFusion(m_backend, chainOf(stages));
    }

    bool isOnHost(std::size_t stage) const {
        const StageState& state = m_snapshot.stages[stage];
        return m_backend == Backend::Cuda && (state.onCpu || !state.type->hasCuda);
    }

    /// The stages that a fusion may comprise.
    std::vector<ChainStage> chainOf(const std::vector<std::size_t>& stages) const {
        std::vector<ChainStage> chain;
        for (const std::size_t stage : stages) {
            const bool alone = m_snapshot.stages[stage].alone;
            if (alone || isOnHost(stage) || m_graph.wantsFurther(stage)) break;
            chain.push_back(chainStage(m_snapshot.stages[stage]));
        }
        return chain;
    }

    /// Fuses each branch behind the chain's end with the chain where this is possible. True where
    /// all branches were fused, so that the chain itself need not run.
    bool fuseBranches(const std::vector<std::size_t>& chain) {
        if (!m_graph.isFork(chain.back())) return false;
        bool all = true;
        for (const std::size_t taker : m_graph.takersOf(chain.back())) {
            if (m_done[taker]) continue;
            std::vector<std::size_t> branch = chain;
            const std::vector<std::size_t> rest = m_graph.chainFrom(taker);
            branch.insert(branch.end(), rest.begin(), rest.end());
            const FusionMatch match = matchOf(branch);
            if (match.stages > chain.size()) {
                add(branch, match, chain.size());
            } else {
                all = false;
            }
        }
        for (const std::size_t stage : chain) m_done[stage] = m_done[stage] || all;
        return all;
    }

    /// The first `shared` stages may still have to run for other branches.
    void add(const std::vector<std::size_t>& chain, const FusionMatch& match,
             std::size_t shared = 0) {
        Step step;
        step.stages.assign(chain.begin(),
                           chain.begin() + static_cast<std::ptrdiff_t>(match.stages));
        for (std::size_t i = shared; i < step.stages.size(); ++i) m_done[step.stages[i]] = true;
        step.inputs = m_graph.inputsOf(step.first());
        step.wanted = m_graph.wantedOf(step.last());
        step.isAside = !m_graph.isShown(step.last());
        step.fusion = match.fusion;
        if (match.fusion != nullptr) {
            const FusionPlan plan = match.fusion->plan(step.chain(m_snapshot));
            step.workspaceBytes = plan.workspaceBytes;
            step.heldBytes = plan.heldBytes;
        } else {
            const StagePlan& plan = m_snapshot.stages[step.first()].plan;
            step.onHost = isOnHost(step.first());
            if (m_fusing == Fusing::Allowed)
                step.notFused = refusalOfFusions(m_backend, chainOf(chain));
            if (m_backend == Backend::Cuda && !step.onHost)
                step.untuned = untunedOf(plan, step.wanted);
            step.workspaceBytes = plan.workspaceBytes;
            step.stateBytes = plan.stateBytes;
            step.heldBytes = plan.heldBytes;
        }
        m_steps.push_back(std::move(step));
    }

    const Snapshot& m_snapshot;
    Backend m_backend;
    Fusing m_fusing;
    ActiveGraph m_graph;
    std::vector<bool> m_done;
    std::vector<Step> m_steps;
};

} // namespace

std::vector<std::string> Step::ids(const Snapshot& snapshot) const {
    std::vector<std::string> made;
    for (const std::size_t i : stages) made.push_back(snapshot.stages[i].id);
    return made;
}

std::string Step::label(const Snapshot& snapshot) const { return labelOf(ids(snapshot)); }

std::string labelOf(const std::vector<std::string>& ids) {
    return ids.size() == 1 ? ids.front() : ids.front() + " ... " + ids.back();
}

std::vector<ChainStage> Step::chain(const Snapshot& snapshot) const {
    std::vector<ChainStage> made;
    for (const std::size_t i : stages) made.push_back(chainStage(snapshot.stages[i]));
    return made;
}

Source keptSource(const Snapshot& snapshot, std::string_view kept) {
    const auto at = kept.find('@');
    if (at == std::string_view::npos) return {snapshot.indexOf(kept)};
    Source source{snapshot.indexOf(kept.substr(at + 1))};
    const StageState& stage = snapshot.stages[source.stage];
    const std::vector<std::string> outputs = stage.type->outputNames();
    const auto port = std::ranges::find(outputs, kept.substr(0, at));
    if (port == outputs.end())
        throw Error(fmt::format("Stage '{}' has no output '{}'.", stage.id, kept.substr(0, at)));
    source.output = static_cast<std::size_t>(port - outputs.begin());
    return source;
}

std::vector<Step> planSteps(const Snapshot& snapshot, Backend backend,
                            const std::vector<std::string>& kept, Fusing fusing) {
    return StepPlanner(snapshot, backend, kept, fusing).plan();
}

} // namespace echolux
