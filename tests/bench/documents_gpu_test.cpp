// SPDX-License-Identifier: GPL-3.0-or-later
// echolux bench documents on CUDA: all kernels of the documents run and agree with their
// references.
#include "tests/bench/documents_run.hpp"
#include "tests/support/gpu.hpp"

namespace echolux::test {
namespace {

TEST(BenchDocumentsGpu, EveryKernelAgreesWithItsReference) {
    ECHOLUX_NEED_GPU();
    for (const char* document : {"s0", "s1", "s2", "s3", "s4"}) {
        const DocumentsRun run(document, "cuda");
        ASSERT_EQ(run.result.status, 0) << run.result.err;
        run.expectSound();
        // Signal to noise is of a recording that the command names.
        for (const std::string& entry : run.notRun())
            EXPECT_TRUE(run.wantsRecording(entry)) << entry;
    }
}

} // namespace
} // namespace echolux::test
