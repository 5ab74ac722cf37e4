// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of the fusions with their counts, for the performance model.
#pragma once

#include "gpu/fused/fusion.hpp"
#include "gpu/model/part.hpp"

#include <span>
#include <vector>

namespace echolux::fused {

/// Counted from front_end_block.hpp: one block per pair of lines.
std::vector<model::Kernel> frontEndWork(std::span<const ChainStage> stages);

/// Counted from oct_chain_block.cuh. The kernel has one block per multiprocessor, whose teams of
/// warps take pairs of lines without waiting for each other; so a team counts as a block here.
std::vector<model::Kernel> octChainWork(std::span<const ChainStage> stages);

} // namespace echolux::fused
