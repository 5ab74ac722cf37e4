// SPDX-License-Identifier: GPL-3.0-or-later
// The problems of `echolux bench graph`: the cost of a frame besides its computation.
#pragma once

#include "app/pipeline/runner.hpp"

#include <string>
#include <vector>

namespace echolux {

struct GraphProblem {
    std::string id;
    int stages = 12; ///< each computes almost nothing
    int branches = 1;
    std::string describe() const;
};

std::vector<GraphProblem> graphProblems();

/// Microseconds per frame in a sequence of frames, with three in flight.
struct GraphResult {
    double capturedUs = 0.0; ///< as a captured CUDA graph; equals stepwiseUs on the CPU
    double stepwiseUs = 0.0;
    double enqueueUs = 0.0; ///< time that the calling thread needs to launch the captured graph
};

GraphResult runGraphProblem(const GraphProblem& problem, Backend backend, int frames);

} // namespace echolux
