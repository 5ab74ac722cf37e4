// SPDX-License-Identifier: GPL-3.0-or-later
// The bundled recording through the command line, on CUDA, against NumPy.
#include "tests/commands/golden.hpp"
#include "tests/support/gpu.hpp"

namespace echolux {
namespace {

TEST(GoldenGpu, BundledCineAgreesWithNumpy) {
    ECHOLUX_NEED_GPU();
    test::compareWithNumpy("linear_db", "cuda", {}, 0.05, 4.0);
}

TEST(GoldenGpu, DemodulatedPipelineShowsTheSameImage) {
    ECHOLUX_NEED_GPU();
    test::compareWithNumpy("band_limited_db", "cuda", test::kDemodulatedFinely, 0.6, 8.0);
}

} // namespace
} // namespace echolux
