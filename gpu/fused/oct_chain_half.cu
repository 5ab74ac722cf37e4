// SPDX-License-Identifier: GPL-3.0-or-later
// The fused OCT kernel for one side of zero delay.
#include "gpu/fused/oct_chain_kernel.hpp"

#if defined(__CUDACC__)

#include "gpu/fused/oct_chain_block.cuh"

namespace echolux::fused {
void allowHalfRange(int grid, const OctChainDevice& device) { allowRange<false>(grid, device); }
void runHalfRange(const Exec& exec, const OctChainShape& shape, const OctChainTables& tables,
                  const OctChainPixels& pixels, const OctChainDevice& device) {
    runRange<false>(exec, shape, tables, pixels, device);
}
} // namespace echolux::fused

#else

#include <stdexcept>

namespace echolux::fused {
void allowHalfRange(int, const OctChainDevice&) {
    throw std::logic_error("allowHalfRange: built without CUDA");
}
void runHalfRange(const Exec&, const OctChainShape&, const OctChainTables&, const OctChainPixels&,
                  const OctChainDevice&) {
    throw std::logic_error("runHalfRange: built without CUDA");
}
} // namespace echolux::fused

#endif
