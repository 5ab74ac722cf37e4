// SPDX-License-Identifier: GPL-3.0-or-later
// The problems of `echolux bench beamformers`: `combine` alone, on delayed channel data.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// Delayed complex signals of random numbers, and one way to combine them.
struct BeamformerProblem {
    std::string id;
    std::vector<std::pair<std::string, ParamValue>> values; ///< of `combine`
    std::int64_t channels = 128;
    std::int64_t depths = 609; ///< with the laterals: the image of problem D1 of `bench das`
    std::int64_t laterals = 387;

    FrameSpec input() const;
    SnapshotPtr snapshot() const;
    std::string describe() const;
};

/// All problems. `reduced` (for the CPU): 61 rows, 7 in the eigenspace.
std::vector<BeamformerProblem> beamformerProblems(bool reduced);

struct BeamformerResult {
    double frameMs = 0.0; ///< median, data in compute memory
    double pixelsPerS = 0.0;
    /// Greatest difference from the CPU's, at some columns, over its greatest magnitude.
    double deviation = 0.0;
};

BeamformerResult runBeamformerProblem(const BeamformerProblem& problem, Backend backend,
                                      int repeat);

} // namespace echolux
