// SPDX-License-Identifier: GPL-3.0-or-later
// The bundled recordings through the command line, on CUDA, against NumPy.
#include "tests/commands/envelopes.hpp"
#include "tests/commands/golden.hpp"
#include "tests/commands/oct_golden.hpp"
#include "tests/commands/shipped.hpp"
#include "tests/support/gpu.hpp"

namespace echolux {
namespace {

TEST(GoldenGpu, BundledCineAgreesWithNumpy) {
    ECHOLUX_NEED_GPU();
    test::compareWithNumpy("linear_db", "cuda", {"--pipeline", "rf_sum"}, 0.05, 4.0);
}

TEST(GoldenGpu, EnvelopesAgreeWithSummedAnalyticSignals) {
    ECHOLUX_NEED_GPU();
    const auto cases = test::envelopeCases();
    for (std::size_t i = 0; i < 3; ++i) test::compareEnvelope(cases[i], "linear", "cuda", {}, 1e-3);
}

TEST(GoldenGpu, DemodulatedPipelineShowsTheSameImage) {
    ECHOLUX_NEED_GPU();
    test::compareWithNumpy("band_limited_db", "cuda", test::kDemodulatedFinely, 0.6, 8.0);
}

TEST(GoldenGpu, BundledRetinaAgreesWithNumpy) {
    ECHOLUX_NEED_GPU();
    test::compareBscanWithNumpy("dispersed_db", "cuda", {"--bypass", "dispersion"}, 0.02, 0.5);
    // The phase turns on the grid, after the kernel has spread each sample over some of its points:
    // the taper is undone for the depth that an echo moves to, not for the one that it came from.
    test::compareBscanWithNumpy("compensated_db", "cuda", {}, 0.25, 0.8);
}

// NOTE: what a branch fuses need not be what the chain alone fuses; in dark pixels that shows.
TEST(GoldenGpu, EachViewOfAShippedPipelineIsItsChainAlone) {
    ECHOLUX_NEED_GPU();
    for (const test::ShippedCase& of : test::shippedCases())
        test::compareWithChains(of, "cuda", 1e-3);
}

/// On CUDA the ensemble is imaged together, its frames alone one by one.
TEST(GoldenGpu, TheMeanOfEightFramesIsThatOfTheirEnvelopes) {
    ECHOLUX_NEED_GPU();
    test::compareEnsembleMean("cuda", 0.1);
}

TEST(GoldenGpu, ShippedPipelinesAgreeWithNumpy) {
    ECHOLUX_NEED_GPU();
    test::compareShippedWithNumpy("cuda", 0.5);
}

TEST(GoldenGpu, TheLoopOnTransmitClosesAsOnTheCpu) {
    ECHOLUX_NEED_GPU();
    const std::vector<double> here = test::residualsOf({.backend = "cuda"});
    const std::vector<double> there = test::residualsOf({.backend = "cpu"});
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t i = 0; i < here.size(); ++i) EXPECT_NEAR(here[i], there[i], 2e-9);
}

} // namespace
} // namespace echolux
