// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of an estimate of aberration with their counts, for the performance model.
#pragma once

#include "gpu/aberration/aberration_params.hpp"
#include "gpu/aberration/aberration_problem.hpp"
#include "gpu/aberration/element_grid.hpp"
#include "gpu/aberration/focus.hpp"
#include "gpu/stage/stage.hpp"

#include <vector>

namespace echolux::aberration {

/// Counts FocusBins, the kernel of Focus::run().
model::Kernel focusWork(Backend backend, const ElementGrid& grid, const FocusParams& params,
                        const FocusCount& count);

/// Counts the kernels of Estimator::run() in their order. Iterations end where the data say so;
/// here they take as many steps as the parameters allow.
std::vector<model::Kernel> estimateWork(Backend backend, const Problem& problem,
                                        const SolveParams& params);

} // namespace echolux::aberration
