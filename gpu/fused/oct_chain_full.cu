// SPDX-License-Identifier: GPL-3.0-or-later
// The fused OCT kernel for both sides of zero delay.
#include "gpu/fused/oct_chain_kernel.hpp"

#if defined(__CUDACC__)

#include "gpu/fused/oct_chain_block.cuh"

namespace echolux::fused {
void allowFullRange(int grid, const OctChainDevice& device) { allowRange<true>(grid, device); }
void runFullRange(const Exec& exec, const OctChainShape& shape, const OctChainTables& tables,
                  const OctChainPixels& pixels, const OctChainDevice& device) {
    runRange<true>(exec, shape, tables, pixels, device);
}
} // namespace echolux::fused

#else

#include <stdexcept>

namespace echolux::fused {
void allowFullRange(int, const OctChainDevice&) {
    throw std::logic_error("allowFullRange: built without CUDA");
}
void runFullRange(const Exec&, const OctChainShape&, const OctChainTables&, const OctChainPixels&,
                  const OctChainDevice&) {
    throw std::logic_error("runFullRange: built without CUDA");
}
} // namespace echolux::fused

#endif
