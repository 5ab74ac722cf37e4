// SPDX-License-Identifier: GPL-3.0-or-later
// Links of the frame before on CUDA: several frames in flight, captured ones, and steps on the
// host.
#include "tests/pipeline/feedback_run.hpp"
#include "tests/support/gpu.hpp"

namespace echolux {
namespace {

TEST(FeedbackGpu, RandomGraphsInRandomTurnsComputeWhatArithmeticDoes) {
    ECHOLUX_NEED_GPU();
    for (unsigned seed = 1; seed <= 40; ++seed) {
        test::compareRandomDifferences(seed, Backend::Cuda, 1 + static_cast<int>(seed % 3), 120);
        if (testing::Test::HasFailure()) return;
    }
}

} // namespace
} // namespace echolux
