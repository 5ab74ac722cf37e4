// SPDX-License-Identifier: GPL-3.0-or-later
// How a snapshot's stages are run: one by one, or several by one fusion.
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "gpu/fused/fusion.hpp"

#include <string>
#include <vector>

namespace echolux {

enum class Fusing { Allowed, Never };

/// Active stages that run as one. Indices are those of the snapshot's stages; bypassed ones may lie
/// between.
struct Step {
    std::vector<std::size_t> stages;
    std::vector<Source> inputs;     ///< per port of the first stage; active stages only
    std::vector<bool> wanted;       ///< per output of the last one: somebody reads it
    const Fusion* fusion = nullptr; ///< null: a single stage
    std::size_t workspaceBytes = 0; ///< per frame in flight
    std::size_t stateBytes = 0;     ///< that a frame leaves to the next
    std::size_t heldBytes = 0;      ///< of tables
    bool onHost = false;            ///< on the CPU between stages on CUDA
    bool isAside = false;           ///< frames to come take it, nothing that is shown or kept
    std::string notFused;           ///< why not, where a fusion begins with its stage; or empty
    std::string untuned;            ///< of what is wanted on CUDA: StagePlan::untuned, or empty

    std::size_t first() const { return stages.front(); }
    std::size_t last() const { return stages.back(); }
    std::vector<std::string> ids(const Snapshot& snapshot) const; ///< of its stages, in order
    std::string label(const Snapshot& snapshot) const;            ///< labelOf() them
    std::vector<ChainStage> chain(const Snapshot& snapshot) const;
    bool operator==(const Step&) const = default;
};

/// "beamform", or "spectrum_to_float ... magnitude_log" of several stages that run as one.
std::string labelOf(const std::vector<std::string>& ids);

/// What the views and the `kept` stages need, each step after those that it takes this frame from,
/// and what is aside at the end: who takes what the frame before made does so before this frame
/// makes it anew.
/// Stages whose outputs are kept, shown, fed back, or taken by several end their step, and those of
/// which more than the first output is read run alone; but a branch that can be fused with all that
/// leads to it is, and what stands before the branches runs for itself only where one of them is
/// not.
std::vector<Step> planSteps(const Snapshot& snapshot, Backend backend,
                            const std::vector<std::string>& kept, Fusing fusing);

} // namespace echolux
