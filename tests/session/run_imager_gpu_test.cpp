// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of B-scans on CUDA: the volume that the CPU makes frame by frame, without a copy to the host
// or an allocation.
#include "tests/session/live_volume.hpp"
#include "tests/support/gpu.hpp"

namespace echolux {
namespace {

using test::LiveVolume;
using test::waitUntil;

TEST(EngineRunsGpu, MakeTheVolumeThatTheCpuMakesFrameByFrame) {
    ECHOLUX_NEED_GPU();
    LiveVolume runs(Backend::Cuda);
    runs.playOnce();
    EXPECT_EQ(runs.engine->framesPerRun(), 32);
    EXPECT_EQ(runs.engine->statistics().framesProcessed, LiveVolume::kBscans);
    LiveVolume alone(Backend::Cpu);
    alone.playOnce();
    EXPECT_EQ(alone.engine->framesPerRun(), 1);
    const std::vector<float> expected = alone.voxels();
    const std::vector<float> made = runs.voxels();
    EXPECT_LT(test::apart(expected, made), expected.size() / 1000);
    EXPECT_EQ(runs.failures, 0);
}

TEST(EngineRunsGpu, NothingIsCopiedToTheHostOrAllocatedOnceAllIsKept) {
    ECHOLUX_NEED_GPU();
    LiveVolume live(Backend::Cuda);
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    const auto pass = [&](std::uint64_t times) {
        const std::uint64_t until =
            live.engine->statistics().framesProcessed + times * LiveVolume::kBscans;
        EXPECT_TRUE(waitUntil([&] {
            live.readBy(live.engine->mailbox());
            live.readBy(live.engine->volume());
            return live.engine->statistics().framesProcessed >= until;
        }));
    };
    pass(3);
    live.engine->resetCounters();
    pass(20);
    const Statistics now = live.engine->statistics();
    EXPECT_EQ(now.deviceToHostCopies, 0U);
    EXPECT_EQ(now.allocations, 0U);
    EXPECT_EQ(now.framesDropped, 0U);
    EXPECT_EQ(now.recordingBytesKept, LiveVolume::kBscans * live.engine->info().frame.bytes());
    EXPECT_EQ(live.failures, 0);
}

} // namespace
} // namespace echolux
