// SPDX-License-Identifier: GPL-3.0-or-later
// Velocities in a simulated tube under tissue that is 40 dB stronger than the blood.
#include "tests/session/flow_tube.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace echolux::test {
namespace {

constexpr double kTubeAngleRad = 25.0 * std::numbers::pi / 180.0;

/// Tissue that stays, as dense as the blood and a hundred times its amplitude, everywhere, in the
/// tube, too.
Phantom tubeInTissue() {
    constexpr double kClutter = 100.0;
    constexpr double kHalfWidthM = 10e-3;
    constexpr double kFirstM = 4e-3;
    constexpr double kDepthM = 22e-3;
    Phantom phantom;
    phantom.periodS = 1.0;
    phantom.tubes.push_back(steadyTube(kTubeAngleRad));
    const FlowingTube& tube = phantom.tubes.front();
    const double density =
        static_cast<double>(tube.blood.size()) / (2.0 * tube.radius * tube.length);
    const auto count = static_cast<std::uint32_t>(density * 2.0 * kHalfWidthM * kDepthM);
    const CounterRandom random(11, RandomStream::Wall);
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto u = random.uniform(i);
        phantom.still.push_back({(2.0 * u[0] - 1.0) * kHalfWidthM, kFirstM + u[1] * kDepthM,
                                 kClutter * boxMuller(u[2], u[3])[0]});
    }
    return phantom;
}

/// The noise is as far below the blood as in the tests without tissue.
PlaneWaveSetup setupOfTissue() {
    PlaneWaveSetup setup = tubeSetup();
    setup.converter.snrDb = 80.0;
    setup.converter.bits = 16;
    return setup;
}

SnapshotPtr bySingularValues(const FrameSpec& raw) {
    const SnapshotPtr snapshot = flowOfAllPixels(shippedPipeline("colour_flow_svd"), raw);
    return withValue(*snapshot, "clutter_filter", "first", std::int64_t{2});
}

/// Butterworth, below 2 % of the fastest blood along the beam.
SnapshotPtr byHighPass(const FrameSpec& raw) {
    SnapshotPtr snapshot = flowOfAllPixels(shippedPipeline("colour_flow_svd"), raw);
    snapshot = withValue(*snapshot, "clutter_filter", "method", std::string("high_pass"));
    return withValue(*snapshot, "clutter_filter", "cutoff", 0.005);
}

TEST(FlowInClutter, SingularValuesLeaveTheMeanVelocity) {
    const FlowSums found = imagedTube(tubeInTissue(), setupOfTissue(), bySingularValues, 3);
    EXPECT_NEAR(found.slope(), expectedSlope(), 0.02);
    EXPECT_LT(found.scatter(), 0.15 * 100.0 * kPeakMps);
}

TEST(FlowInClutter, AHighPassFilterLeavesTheMeanVelocity) {
    const FlowSums found = imagedTube(tubeInTissue(), setupOfTissue(), byHighPass, 3);
    EXPECT_NEAR(found.slope(), expectedSlope(), 0.02);
    EXPECT_LT(found.scatter(), 0.15 * 100.0 * kPeakMps);
}

/// Without a filter the tissue is all that is seen.
TEST(FlowInClutter, WithoutAFilterNothingMoves) {
    const FlowSums found = imagedTube(tubeInTissue(), setupOfTissue(), tubePipeline, 1);
    EXPECT_NEAR(found.slope(), 0.0, 0.02);
}

} // namespace
} // namespace echolux::test
