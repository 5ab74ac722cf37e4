// SPDX-License-Identifier: GPL-3.0-or-later
// A clutter filter that goes on from ensemble to ensemble, on CUDA, against SciPy.
#include "tests/gpu/continued_filter.hpp"
#include "tests/support/gpu.hpp"

namespace echolux::test {
namespace {

TEST(ContinuedFilterGpu, AHighPassGoesOnFromEnsembleToEnsemble) {
    ECHOLUX_NEED_GPU();
    expectContinued(Backend::Cuda);
}

} // namespace
} // namespace echolux::test
