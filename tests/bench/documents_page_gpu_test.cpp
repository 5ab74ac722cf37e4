// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux help documents` on CUDA: every bench in it runs.
#include "tests/support/bench_line.hpp"
#include "tests/support/documents_walk.hpp"
#include "tests/support/gpu.hpp"

namespace echolux::test {
namespace {

TEST(BenchDocumentsPageGpu, EveryBenchRuns) {
    ECHOLUX_NEED_GPU();
    expectCommandsRun(runBenches, true, "cuda");
}

} // namespace
} // namespace echolux::test
