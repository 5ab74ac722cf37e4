// SPDX-License-Identifier: GPL-3.0-or-later
// Reduction on CUDA: every size and every place of the maximum.
#include "tests/gpu/running_maximum_run.hpp"
#include "tests/support/gpu.hpp"

namespace echolux::test {
namespace {

TEST(RunningMaximumGpu, FindsTheLargestFiniteMagnitude) {
    ECHOLUX_NEED_GPU();
    expectMaximumOfEverySizeAndPlace(Backend::Cuda);
}

} // namespace
} // namespace echolux::test
