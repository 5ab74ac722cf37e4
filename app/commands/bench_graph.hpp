// SPDX-License-Identifier: GPL-3.0-or-later
// The problems of `echolux bench graph`: what a frame costs besides its computing.
#pragma once

#include "app/pipeline/runner.hpp"

#include <string>
#include <vector>

namespace echolux {

struct GraphProblem {
    std::string id;
    int stages = 12; ///< that compute next to nothing
    int branches = 1;
    std::string describe() const;
};

std::vector<GraphProblem> graphProblems();

/// Microseconds per frame, frames one after the other with three in flight.
struct GraphResult {
    double capturedUs = 0.0; ///< launched as one; on the CPU, where nothing is, as stepwiseUs
    double stepwiseUs = 0.0;
    double enqueueUs = 0.0; ///< of the calling thread, captured
};

GraphResult runGraphProblem(const GraphProblem& problem, Backend backend, int frames);

} // namespace echolux
