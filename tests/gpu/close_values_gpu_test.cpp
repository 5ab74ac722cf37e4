// SPDX-License-Identifier: GPL-3.0-or-later
// Singular values that are nearly equal are told apart on CUDA, against NumPy.
#include "tests/gpu/close_values.hpp"
#include "tests/support/gpu.hpp"

namespace echolux::test {
namespace {

TEST(CloseSingularValuesGpu, APartEndsBetweenThemAsInNumpy) {
    ECHOLUX_NEED_GPU();
    expectPartsOfNumpy(Backend::Cuda);
}

} // namespace
} // namespace echolux::test
