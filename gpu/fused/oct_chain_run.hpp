// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the fused OCT kernel that a shape asks for. NOTE: apart from oct_chain_block.cuh, where the
// calls below would make every file hold every kernel.
#pragma once

#include "gpu/fused/oct_chain_kernel.hpp"

namespace echolux::fused {

/// Those of one range and one scale, each in a file of its own.
template <bool kFullRange, bool kLinear>
void allowOctKernels(int grid, const OctChainDevice& device);
template <bool kFullRange, bool kLinear>
void runOctKernel(const Exec& exec, const OctChainShape& shape, const OctChainTables& tables,
                  const OctChainPixels& pixels, const OctChainDevice& device);

/// Once for each device before runOctChain() on it, for both scales: lets the kernels have its
/// shared memory. Throws Error where the driver refuses.
inline void allowOctChain(const OctChainShape& shape, const OctChainDevice& device) {
    (shape.fullRange ? allowOctKernels<true, false> : allowOctKernels<false, false>)(shape.grid,
                                                                                     device);
    (shape.fullRange ? allowOctKernels<true, true> : allowOctKernels<false, true>)(shape.grid,
                                                                                   device);
}

/// Enqueues one kernel on the stream.
inline void runOctChain(const Exec& exec, const OctChainShape& shape, const OctChainTables& tables,
                        const OctChainPixels& pixels, const OctChainDevice& device) {
    const auto half = shape.linear ? runOctKernel<false, true> : runOctKernel<false, false>;
    const auto full = shape.linear ? runOctKernel<true, true> : runOctKernel<true, false>;
    (shape.fullRange ? full : half)(exec, shape, tables, pixels, device);
}

} // namespace echolux::fused
