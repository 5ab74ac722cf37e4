// SPDX-License-Identifier: GPL-3.0-or-later
// The fused OCT kernel for both sides of zero delay, in decibels.
#include "gpu/fused/oct_chain_block.cuh"

namespace echolux::fused {
template void allowOctKernels<true, false>(int, const OctChainDevice&);
template void runOctKernel<true, false>(const Exec&, const OctChainShape&, const OctChainTables&,
                                        const OctChainPixels&, const OctChainDevice&);
} // namespace echolux::fused
