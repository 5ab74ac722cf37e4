// SPDX-License-Identifier: GPL-3.0-or-later
// Fusions: one CUDA implementation for a run of stages. The separate stages remain what users see
// and tune, what the CPU runs, and what a fusion is tested against.
#pragma once

#include "gpu/stage/stage.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace echolux {

/// An active stage of a planned chain.
struct ChainStage {
    const StageType* type = nullptr;
    const FrameSpec* input = nullptr;
    const StagePlan* plan = nullptr;
    const Params* params = nullptr;
};

/// What a run of stages needs when fused.
struct FusionPlan {
    std::size_t workspaceBytes = 0; ///< per frame in flight
    std::size_t heldBytes = 0;      ///< compute memory that prepare() takes for tables
};

/// A run of stages in one, under the rules of a Stage: prepare() after structural changes, update()
/// between frames without allocation, run() only enqueues. The spans hold the matched stages.
class FusedStages {
public:
    virtual ~FusedStages() = default;
    virtual void prepare(const Exec& exec, std::span<const ChainStage> stages) = 0;
    virtual void update(const Exec& exec, std::span<const ChainStage> stages) = 0;
    virtual void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
                     const Workspace& workspace) = 0;
};

struct Fusion {
    /// How many of `stages`, from the first on, it replaces: 0 where it does not fit.
    std::size_t (*match)(std::span<const ChainStage> stages) = nullptr;
    FusionPlan (*plan)(std::span<const ChainStage> stages) = nullptr;
    std::unique_ptr<FusedStages> (*create)() = nullptr;
    /// Why it does not take a chain of its stages as they are set: a sentence that names what would
    /// do. Empty where it takes them, or where they are not its stages. May be null.
    std::string (*refusal)(std::span<const ChainStage> stages) = nullptr;
};

/// The fusion that replaces most stages from the first on, and how many; null and 1 where none
/// does. Only CUDA has fusions.
struct FusionMatch {
    const Fusion* fusion = nullptr;
    std::size_t stages = 1;
};
FusionMatch findFusion(Backend backend, std::span<const ChainStage> stages);
/// What the fusions say of a chain that none of them takes, see Fusion::refusal.
std::string refusalOfFusions(Backend backend, std::span<const ChainStage> stages);

} // namespace echolux
