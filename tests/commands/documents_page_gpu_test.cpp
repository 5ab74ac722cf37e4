// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux help documents` on CUDA: every command in it but the benches runs.
#include "tests/support/command_line.hpp"
#include "tests/support/documents_walk.hpp"
#include "tests/support/gpu.hpp"

namespace echolux::test {
namespace {

TEST(DocumentsPageGpu, EveryCommandRuns) {
    ECHOLUX_NEED_GPU();
    expectCommandsRun(runEcholux, false, "cuda");
}

} // namespace
} // namespace echolux::test
