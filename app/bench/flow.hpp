// SPDX-License-Identifier: GPL-3.0-or-later
// The problems of `echolux bench flow`: tissue removed from ensembles, and flow of what is left.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

struct FlowProblem {
    std::string id;
    std::int64_t frames = 1; ///< of an ensemble
    std::int64_t depths = 1;
    std::int64_t laterals = 1;
    /// Parts of tissue that `clutter_filter` removes as singular values; 0: a line over time, by
    /// polynomials.
    std::int64_t removed = 0;
    bool beamforms = false; ///< the frames are channel data (problem D4 of `bench das`)
    bool unwraps = false;   ///< `unwrap` stands behind `flow`
    /// Singular values of blocks of so many pixels each way, which overlap by half; 0: of the
    /// image.
    std::int64_t block = 0;

    SnapshotPtr snapshot() const;
    std::string describe() const;
};

/// All problems. `reduced` (for the CPU): at most 32 frames.
std::vector<FlowProblem> flowProblems(bool reduced);

struct FlowResult {
    double ensembleMs = 0.0; ///< median, data in compute memory
    double framesPerS = 0.0;
    double clutterMs = 0.0;   ///< of `clutter_filter` alone
    double unwrapMs = 0.0;    ///< of `unwrap` alone, whose work does not depend on the velocities
    double samplesPerS = 0.0; ///< pixels x frames
    /// Energy that is left over that of the weak signal below the tissue, less the share that the
    /// filter takes from any signal. 1 is ideal. 0: not measured, because tissue is left.
    double left = 0.0;
};

FlowResult runFlowProblem(const FlowProblem& problem, Backend backend, int repeat);

} // namespace echolux
