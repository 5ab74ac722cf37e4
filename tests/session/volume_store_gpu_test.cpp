// SPDX-License-Identifier: GPL-3.0-or-later
// The bundled volume through the live engine on CUDA: as on the CPU, and in steady state without a
// copy to the host or an allocation.
#include "app/session/session.hpp"
#include "gpu/memory/transfer.hpp"
#include "tests/session/fake_recording.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace echolux {
namespace {

using test::waitUntil;

constexpr const char* kVolume = ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5";

struct LiveVolume {
    std::atomic<int> failures{0};
    Backend backend;
    Stream stream;
    std::unique_ptr<Engine> engine;

    explicit LiveVolume(Backend on) : backend(on), stream(on, "test") {
        auto recording = openRecording(kVolume);
        SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, {});
        engine = std::make_unique<Engine>(
            std::move(recording), std::move(snapshot), on,
            Engine::Callbacks{[] {}, [this](const std::string&) { ++failures; }, [] {}});
    }
    /// One whole volume, then frozen with nothing left to do.
    void playOnce() {
        engine->player().setLoop(false);
        engine->player().setSpeed(0.0);
        engine->player().play();
        EXPECT_TRUE(waitUntil([&] { return engine->statistics().framesProcessed >= 48; }));
        EXPECT_TRUE(waitUntil([&] { return !engine->volume().hasWork(); }));
    }
    std::vector<Half> voxels() {
        const DisplayVolume* volume = nullptr;
        engine->volume().offerAgain();
        EXPECT_TRUE(waitUntil([&] { return (volume = engine->volume().acquire()) != nullptr; }));
        if (volume == nullptr) return {};
        std::vector<Half> values(static_cast<std::size_t>(volume->shape.count()));
        if (backend == Backend::Cuda) device::wait(stream.get(), volume->ready);
        download({backend, stream.get()}, values.data(), volume->voxels, volume->shape.bytes());
        engine->volume().release(stream.get());
        stream.synchronize();
        return values;
    }
};

TEST(VolumeStoreGpu, CollectsWhatTheCpuCollects) {
    ECHOLUX_NEED_GPU();
    LiveVolume cpu(Backend::Cpu);
    LiveVolume cuda(Backend::Cuda);
    cpu.playOnce();
    cuda.playOnce();
    const std::vector<Half> expected = cpu.voxels();
    const std::vector<Half> got = cuda.voxels();
    ASSERT_EQ(got.size(), expected.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
        different += std::abs(fromHalf(got[i]) - fromHalf(expected[i])) > 0.5F ? 1 : 0;
    EXPECT_LT(different, got.size() / 1000) << "dB of values close to zero may differ";
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
        if (live.engine->volume().acquire() != nullptr)
            live.engine->volume().release(live.stream.get());
        if (live.engine->volume().enFace().acquire() != nullptr)
            live.engine->volume().enFace().release(live.stream.get());
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
