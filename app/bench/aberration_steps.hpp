// SPDX-License-Identifier: GPL-3.0-or-later
// S2 beyond table 5.2: for which scale of the data the iteration ends as published, and the
// correlation as the document's kernel computes it.
#pragma once

#include "app/bench/aberration_problem.hpp"
#include "app/bench/documents.hpp"

namespace echolux::herikstad {

/// Section 5.2.1: 21, 8 and 3 iterations. The document does not tell the scale of its data.
void benchScales(const DocumentBench& bench, const Cube& cube);

/// Sections 4.3.5, 5.3.4 (figure 5.9) and 6.2.
void benchKernels(const DocumentBench& bench, const Cube& cube);

} // namespace echolux::herikstad
