// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the fused OCT kernel for a shape. NOTE: separate from oct_chain_block.cuh; with the calls
// below in that file, every file would contain every kernel.
#pragma once

#include "gpu/fused/oct_chain_kernel.hpp"

namespace echolux::fused {

/// The kernels of one range and one scale. Each combination is compiled in a file of its own.
template <bool kFullRange, bool kLinear>
void allowOctKernels(int grid, const OctChainDevice& device);
template <bool kFullRange, bool kLinear>
void runOctKernel(const Exec& exec, const OctChainShape& shape, const OctChainTables& tables,
                  const OctChainPixels& pixels, const OctChainDevice& device);

/// Call it once per device before runOctChain(). Allows the kernels of both scales the device's
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
