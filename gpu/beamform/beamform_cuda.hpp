// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the CUDA kernel that computes the sums of a model.
#pragma once

#include "gpu/beamform/beamform_own_lines.hpp"
#include "gpu/beamform/beamform_space.hpp"
#include "gpu/beamform/beamform_tuned.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace echolux::das {

/// At most one layout is set. Without one the sum is computed pixel by pixel by
/// beamformReference().
struct CudaSum {
    std::optional<TunedLayout> tuned = {};
    std::optional<OwnLinesLayout> ownLines = {};
    std::optional<SpaceLayout> space = {};

    bool isTuned() const { return tuned || ownLines || space; }
    int frames() const {
        return tuned ? tuned->frames : space ? space->frames : 1;
    } ///< frames that are imaged
      ///< together
};

/// Chooses for single frames, or for an ensemble of `frames` frames. Where the constants have
/// tables of delays, no kernel suits. `packedBytes` is the memory for samples packed with `pitch`.
CudaSum chooseCudaSum(const Model& model, bool complex, int frames, int pitch,
                      std::size_t packedBytes);

/// A clause that says why no kernel suits; empty where one does. `complex`: the samples are
/// complex.
std::string whyUntuned(const Model& model, DelaySource delays, bool complex);

/// Bytes that packing needs at most, for any live parameters.
std::size_t mostWorkspaceBytes(const Model& model, bool complex, int frames);

/// CUDA only. Precondition: chosen.isTuned(). Calls tunedPack() and tunedSum(), or sumOwnLines(),
/// or sumInSpace().
void sumOnCuda(const Exec& exec, const Constants& constants, const CudaSum& chosen,
               const void* samples, void* workspace, void* image);

} // namespace echolux::das
