// SPDX-License-Identifier: GPL-3.0-or-later
// How a snapshot's stages are run: one by one, or several by one fusion.
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "gpu/fused/fusion.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace echolux {

enum class Fusing { Allowed, Never };

/// Active stages that run as one. Indices count the snapshot's stages. Bypassed stages may lie
/// between them.
struct Step {
    std::vector<std::size_t> stages;
    std::vector<Source> inputs;     ///< per port of the first stage; sources are active stages or
                                    ///< the recording
    std::vector<bool> wanted;       ///< per output of the last one: somebody reads it
    const Fusion* fusion = nullptr; ///< null: a single stage
    std::size_t workspaceBytes = 0; ///< per frame in flight
    std::size_t stateBytes = 0;     ///< of the state that a frame leaves to the next
    std::size_t heldBytes = 0;      ///< of tables in compute memory
    bool onHost = false;            ///< on the CPU, while other steps run on CUDA
    bool isAside = false;           ///< only later frames need its result, nothing that is shown or
                                    ///< kept in this frame does
    std::string notFused;           ///< why no fusion runs it, where a fusion begins with its
                                    ///< stage; or empty
    std::string untuned;            ///< on CUDA: StagePlan::untuned of the outputs that somebody
                                    ///< reads, or empty

    std::size_t first() const { return stages.front(); }
    std::size_t last() const { return stages.back(); }
    std::vector<std::string> ids(const Snapshot& snapshot) const; ///< of its stages, in order
    std::string label(const Snapshot& snapshot) const;            ///< labelOf() its stages
    std::vector<ChainStage> chain(const Snapshot& snapshot) const;
    bool operator==(const Step&) const = default;
};

/// "beamform", or "spectrum_to_float ... magnitude_log" of several stages that run as one.
std::string labelOf(const std::vector<std::string>& ids);

/// The output that `kept` names: the first one of a stage, "beamform", or another one,
/// "mean@spectral_doppler". Throws Error where there is none.
Source keptSource(const Snapshot& snapshot, std::string_view kept);

/// The steps that the views and the `kept` outputs need; see keptSource(). Each step stands after
/// the steps whose results of this frame it reads. Steps that are aside stand at the end, so a step
/// that reads a result of the previous frame runs before the step that overwrites it.
///
/// A step ends with a stage whose output is kept, shown, fed back or read by several stages. A
/// stage is a step of its own where a further output of it is read.
///
/// One exception: several stages, each with this single input, read an output that is neither kept
/// nor shown nor fed back. Then each branch becomes one step with the stages before it, if a fusion
/// computes them together. These stages are computed once per branch. They are a step of their own
/// as well only if some branch has no such fusion.
std::vector<Step> planSteps(const Snapshot& snapshot, Backend backend,
                            const std::vector<std::string>& kept, Fusing fusing);

} // namespace echolux
