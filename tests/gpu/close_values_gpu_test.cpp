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

TEST(CloseSingularValuesGpu, LongEnsemblesAreCutBetweenThemAsInNumpy) {
    ECHOLUX_NEED_GPU();
    expectLongCutsOfNumpy(Backend::Cuda, 160, 1);
    expectLongCutsOfNumpy(Backend::Cuda, 160, 2);
    expectLongCutsOfNumpy(Backend::Cuda, 300, 1);
}

} // namespace
} // namespace echolux::test
