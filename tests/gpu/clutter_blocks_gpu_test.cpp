// SPDX-License-Identifier: GPL-3.0-or-later
// Singular values removed in blocks of the images, on CUDA, against NumPy.
#include "tests/gpu/clutter_blocks.hpp"
#include "tests/support/gpu.hpp"

namespace echolux::test {
namespace {

TEST(ClutterBlocksGpu, EachBlockLosesWhatNumpyTakesFromIt) {
    ECHOLUX_NEED_GPU();
    const Vectors vectors("gpu/vectors/singular_blocks.txt");
    const HostFrame ensemble = blockEnsemble(vectors);
    for (const BlockCase& each : blockCases()) {
        SCOPED_TRACE(each.vector);
        expectClose(runStage("clutter_filter", ensemble, each.settings, Backend::Cuda),
                    vectors[each.vector], each.tolerance);
    }
}

} // namespace
} // namespace echolux::test
