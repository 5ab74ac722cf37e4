// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged spectra through the separate OCT stages on CUDA.
#include "tests/support/gpu.hpp"
#include "tests/support/near.hpp"
#include "tests/support/oct_chain.hpp"

namespace echolux::test {
namespace {

TEST(OctChainOnTheGpu, OneNanCostsItsLineAlone) {
    ECHOLUX_NEED_GPU();
    expectOneNanCostsItsLine(Backend::Cuda);
}

} // namespace
} // namespace echolux::test
