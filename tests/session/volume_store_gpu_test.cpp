// SPDX-License-Identifier: GPL-3.0-or-later
// The bundled volume through the live engine on CUDA: as on the CPU, and in steady state without a
// copy to the host or an allocation.
#include "tests/session/live_volume.hpp"
#include "tests/support/gpu.hpp"

namespace echolux {
namespace {

using test::apart;
using test::LiveVolume;
using test::waitUntil;

TEST(VolumeStoreGpu, CollectsWhatTheCpuCollects) {
    ECHOLUX_NEED_GPU();
    LiveVolume cpu(Backend::Cpu);
    LiveVolume cuda(Backend::Cuda);
    cpu.playOnce();
    cuda.playOnce();
    const std::vector<float> expected = cpu.voxels();
    EXPECT_LT(apart(cuda.voxels(), expected), expected.size() / 1000)
        << "dB of values close to zero may differ";
    EXPECT_EQ(cuda.failures, 0);
}

TEST(VolumeStoreGpu, SteadyStateCopiesNothingToTheHostAndAllocatesNothing) {
    ECHOLUX_NEED_GPU();
    LiveVolume live(Backend::Cuda);
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    ASSERT_TRUE(waitUntil([&] { return live.engine->volume().volumesDone() > 1; }));
    live.engine->resetCounters();
    const std::uint64_t from = live.engine->volume().volumesDone();
    double deepest = 1e-4;
    while (live.engine->volume().volumesDone() < from + 20) {
        live.engine->setEnFace({Projection::Mean, 0.0, deepest += 1e-6});
        live.readBy(live.engine->volume());
        live.readBy(live.engine->volume().enFace());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    live.engine->player().freeze();
    const Statistics end = live.engine->statistics();
    EXPECT_EQ(end.deviceToHostCopies, 0U);
    EXPECT_EQ(end.allocations, 0U);
    EXPECT_EQ(live.failures, 0);
}

} // namespace
} // namespace echolux
