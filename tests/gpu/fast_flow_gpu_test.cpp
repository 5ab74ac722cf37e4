// SPDX-License-Identifier: GPL-3.0-or-later
// Velocities of `flow` beyond the limit of one phase, on CUDA, against the CPU and the truth.
#include "tests/gpu/beamform_run.hpp"
#include "tests/gpu/fast_flow.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/near.hpp"

namespace echolux::test {
namespace {

TEST(FastFlowGpu, CrossCorrelationAgreesWithTheCpuAndTheTruth) {
    ECHOLUX_NEED_GPU();
    const Settings settings{{"estimator", "cross_correlation"},
                            {"search", 4.0},
                            {"threshold", 120.0},
                            {"max_spread", 1.0}};
    for (const double times : {-3.6, -0.4, 1.2, 2.45}) {
        const HostFrame ensemble = movingSpeckle(times);
        const HostFrame expected = runStage("flow", ensemble, settings);
        const HostFrame actual = runStage("flow", ensemble, settings, Backend::Cuda);
        constexpr std::size_t kBorder = 48; // beyond it other speckle came in
        const auto inner = [](const HostFrame& frame) {
            const auto values = frame.as<float>();
            return values.subspan(kBorder * 8, values.size() - 2 * kBorder * 8);
        };
        expectNear(inner(actual), inner(expected), 1e-3);
        EXPECT_NEAR(foundVelocity(actual, kBorder).mean, times * std::numbers::pi, 0.1);
    }
}

TEST(FastFlowGpu, StaggeredFramesAgreeWithTheCpuAndTheTruth) {
    ECHOLUX_NEED_GPU();
    const FrameSpec spec = ensembleSpec(8, 13, 17, 0.0);
    for (const Staggering& of : kStaggerings) {
        const Settings settings{{"stagger", of.id}, {"threshold", 120.0}};
        for (const double phase : {-2.9, 0.4, 2.2}) {
            const HostFrame ensemble = staggeredTone(spec, of, phase, 0.05);
            const HostFrame expected = runStage("flow", ensemble, settings);
            const HostFrame actual = runStage("flow", ensemble, settings, Backend::Cuda);
            expectNear(actual.as<float>(), expected.as<float>(), 1e-4);
            EXPECT_NEAR(foundVelocity(actual, 0).mean, phase * of.reach(), 0.02 * of.reach());
        }
    }
}

} // namespace
} // namespace echolux::test
