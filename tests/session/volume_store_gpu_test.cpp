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
        live.engine->volume().setEnFace({Projection::Mean, 0.0, deepest += 1e-6});
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

LiveVolume liveEchoes(Backend backend) {
    return LiveVolume(backend, std::make_unique<test::FakeEchoes>(false),
                      test::chainOf({"to_float"}));
}

TEST(VolumeStoreGpu, EchoesAreTurnedAndCutAsOnTheCpu) {
    ECHOLUX_NEED_GPU();
    LiveVolume live = liveEchoes(Backend::Cuda);
    const auto becomes = [&](const std::vector<float>& expected) {
        return waitUntil([&] { return apart(live.voxels(), expected) == 0; });
    };
    EXPECT_TRUE(becomes(test::FakeEchoes::voxels(0)));
    EXPECT_EQ(live.slice(), test::FakeEchoes::slice(0, test::FakeEchoes::kSlices / 2));
    live.engine->volume().showSide(1e-4);
    std::vector<float> plane;
    for (std::int64_t slice = 0; slice < test::FakeEchoes::kSlices; ++slice) {
        for (std::int64_t depth = 0; depth < test::FakeEchoes::kDepths; ++depth)
            plane.push_back(test::FakeEchoes::at(0, slice, depth, 1));
    }
    EXPECT_TRUE(waitUntil([&] { return live.side() == plane; }));
    live.engine->player().step(1);
    EXPECT_TRUE(becomes(test::FakeEchoes::voxels(1)));
    EXPECT_EQ(live.failures, 0);
}

TEST(VolumeStoreGpu, VolumesOfEchoesComeWithoutACopyToTheHostOrAnAllocation) {
    ECHOLUX_NEED_GPU();
    LiveVolume live = liveEchoes(Backend::Cuda);
    live.engine->volume().showSide(0.0);
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    ASSERT_TRUE(waitUntil([&] { return live.engine->volume().volumesDone() > 20; }));
    live.engine->resetCounters();
    const std::uint64_t from = live.engine->volume().volumesDone();
    while (live.engine->volume().volumesDone() < from + 50) {
        live.readBy(live.engine->volume());
        live.readBy(live.engine->volume().enFace());
        live.readBy(live.engine->volume().side());
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
