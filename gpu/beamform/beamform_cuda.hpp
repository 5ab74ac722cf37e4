// SPDX-License-Identifier: GPL-3.0-or-later
// Which CUDA kernel sums what a model asks for.
#pragma once

#include "gpu/beamform/beamform_own_lines.hpp"
#include "gpu/beamform/beamform_space.hpp"
#include "gpu/beamform/beamform_tuned.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace echolux::das {

/// At most one of them; none: pixel by pixel, beamformReference().
struct CudaSum {
    std::optional<TunedLayout> tuned = {};
    std::optional<OwnLinesLayout> ownLines = {};
    std::optional<SpaceLayout> space = {};

    bool isTuned() const { return tuned || ownLines || space; }
    int frames() const { return tuned ? tuned->frames : space ? space->frames : 1; } ///< together
};

/// Of single frames, or of all of an ensemble of `frames`. Delays come from tables where the
/// constants have them: then none of the kernels suits. `packedBytes` of a workspace of frames
/// packed with `pitch` is what there is.
CudaSum chooseCudaSum(const Model& model, bool complex, int frames, int pitch,
                      std::size_t packedBytes);

/// Why none of the kernels suits, a clause; empty where one does. `complex` samples.
std::string whyUntuned(const Model& model, DelaySource delays, bool complex);

/// Bytes that packing takes, whatever live parameters choose.
std::size_t mostWorkspaceBytes(const Model& model, bool complex, int frames);

/// CUDA only; `chosen.isTuned()`. As tunedPack() and tunedSum() do, sumOwnLines() or sumInSpace().
void sumOnCuda(const Exec& exec, const Constants& constants, const CudaSum& chosen,
               const void* samples, void* workspace, void* image);

} // namespace echolux::das
