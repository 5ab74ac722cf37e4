// SPDX-License-Identifier: GPL-3.0-or-later
// A fusion is one CUDA implementation of several consecutive stages. Users still see and tune the
// separate stages, the CPU runs them, and the fusion is tested against them.
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

/// Memory that fused stages need.
struct FusionPlan {
    std::size_t workspaceBytes = 0; ///< per frame in flight
    std::size_t heldBytes = 0;      ///< compute memory that prepare() takes for tables
};

/// Several stages that run as one, under the rules of a Stage: prepare() after structural changes,
/// update() between frames without allocation, run() only enqueues. The spans hold the matched
/// stages.
class FusedStages {
public:
    virtual ~FusedStages() = default;
    virtual void prepare(const Exec& exec, std::span<const ChainStage> stages) = 0;
    virtual void update(const Exec& exec, std::span<const ChainStage> stages) = 0;
    virtual void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
                     const Workspace& workspace) = 0;
};

struct Fusion {
    /// How many of `stages`, counted from the first, the fusion replaces; 0 where it does not fit.
    std::size_t (*match)(std::span<const ChainStage> stages) = nullptr;
    FusionPlan (*plan)(std::span<const ChainStage> stages) = nullptr;
    std::unique_ptr<FusedStages> (*create)() = nullptr;
    /// Why the fusion refuses a chain of its stages with their present parameters: a sentence that
    /// names what to change. Empty where it accepts the chain, or where these are not its stages.
    /// May be null.
    std::string (*refusal)(std::span<const ChainStage> stages) = nullptr;
    /// The kernels that run() enqueues, see StageType::work. May be null.
    std::vector<model::Kernel> (*work)(std::span<const ChainStage> stages) = nullptr;
};

/// The fusion that replaces most stages, counted from the first, and their number. Null and 1 where
/// no fusion fits. Only CUDA has fusions.
struct FusionMatch {
    const Fusion* fusion = nullptr;
    std::size_t stages = 1;
};
FusionMatch findFusion(Backend backend, std::span<const ChainStage> stages);
/// The reason why no fusion accepts the chain, see Fusion::refusal.
std::string refusalOfFusions(Backend backend, std::span<const ChainStage> stages);

} // namespace echolux
