// SPDX-License-Identifier: GPL-3.0-or-later
// Branches that a stage compares, and what they differ in.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <string>
#include <vector>

namespace echolux {

/// A sentence for each active stage `compare` whose two branches have the same stages and differ in
/// more than one of them: one difference is what is compared, a second one is probably a parameter
/// that was set in one branch only. How a branch runs (bypassed, alone, on the CPU) counts as one
/// difference.
std::vector<std::string> unevenBranches(const Snapshot& snapshot);

} // namespace echolux
