// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux help documents` on CUDA: every command in it runs.
#include "tests/commands/documents_walk.hpp"
#include "tests/support/gpu.hpp"

namespace echolux::test {
namespace {

TEST(DocumentsPageGpu, EveryCommandRuns) {
    ECHOLUX_NEED_GPU();
    expectCommandsRun("cuda");
}

} // namespace
} // namespace echolux::test
