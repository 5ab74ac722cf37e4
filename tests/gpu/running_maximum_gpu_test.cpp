// SPDX-License-Identifier: GPL-3.0-or-later
// Reduction on CUDA: every size and every place of the maximum.
#include "tests/gpu/running_maximum_run.hpp"
#include "tests/support/gpu.hpp"

namespace echolux::test {
namespace {

TEST(RunningMaximumGpu, FindsTheLargestFiniteMagnitude) {
    ECHOLUX_NEED_GPU();
    for (const std::size_t count : {1U, 2U, 255U, 256U, 257U, 4097U, 65536U, 100003U}) {
        for (const std::size_t at : {std::size_t{0}, count / 2, count - 1}) {
            const MaximumRun run = maximumOfNoise(Backend::Cuda, count, at);
            EXPECT_EQ(run.found, run.expected) << count << " values, maximum at " << at;
        }
    }
}

} // namespace
} // namespace echolux::test
