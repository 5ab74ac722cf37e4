// SPDX-License-Identifier: GPL-3.0-or-later
// The fused OCT kernel for one side of zero delay, as amplitudes.
#include "gpu/fused/oct_chain_block.cuh"

namespace echolux::fused {
template void allowOctKernels<false, true>(int, const OctChainDevice&);
template void runOctKernel<false, true>(const Exec&, const OctChainShape&, const OctChainTables&,
                                        const OctChainPixels&, const OctChainDevice&);
} // namespace echolux::fused
