// SPDX-License-Identifier: GPL-3.0-or-later
// GPU memory that suffices for one recording but not for two: what is open makes room, and goes on
// where the new one does not fit all the same.
#include "app/session/session.hpp"
#include "tests/session/fake_recording.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace echolux {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// The bundled recording on a grid that takes some hundred MiB.
struct Crowded {
    std::filesystem::path file =
        std::filesystem::path(ECHOLUX_SOURCE_DIR) / "testdata/phantom_cine.echolux.h5";
    std::atomic<int> failures{0};
    Session session{chooseBackend("cuda"),
                    {[](std::size_t) {}, [this](const std::string&) { ++failures; }, [] {}}};
    PipelineConfig pipeline;
    Buffer filler;

    static PipelineConfig withPixel(PipelineConfig config, double metres) {
        for (StageConfig& stage : config.stages) {
            if (stage.type != "beamform") continue;
            for (const char* key : {"pixel_lateral", "pixel_depth"})
                stage.values.emplace_back(key, metres);
        }
        return config;
    }
    Crowded() {
        const auto raw = openRecording(file)->info().frame;
        pipeline = withPixel(shippedPipeline(defaultPipelineName(raw)), 10e-6);
        open(pipeline);
    }
    void open(const PipelineConfig& config) {
        session.adopt(prepareEngine({file, {}, config}, Backend::Cuda, {}, session.shared()));
    }
    /// Leaves so much of the GPU's memory free.
    void fill(std::size_t leave) {
        filler = Buffer();
        filler = Buffer(MemoryKind::Device, device::freeBytes() - leave);
    }
    bool shows() {
        const DisplayFrame* frame = nullptr;
        const Stream stream(Backend::Cuda, "test");
        if (!test::waitUntil(
                [&] { return (frame = session.engine().mailbox().acquire()) != nullptr; }))
            return false;
        session.engine().mailbox().release(stream.get());
        stream.synchronize();
        session.engine().mailbox().presented(frame->serial);
        return true;
    }
};

TEST(SessionGpu, TheOpenRecordingMakesRoomForTheNext) {
    ECHOLUX_NEED_GPU();
    Crowded crowded;
    EXPECT_TRUE(crowded.shows());
    const std::size_t held = memoryCounters().bytesDeviceHeld;
    ASSERT_GT(held, 128 * kMiB);
    crowded.fill(held / 2);
    crowded.open(crowded.pipeline);
    EXPECT_TRUE(crowded.shows());
    EXPECT_EQ(memoryCounters().bytesDeviceHeld - crowded.filler.bytes(), held);
    EXPECT_EQ(crowded.failures, 0);
}

TEST(SessionGpu, WhatIsOpenGoesOnWhereTheNextDoesNotFit) {
    ECHOLUX_NEED_GPU();
    Crowded crowded;
    EXPECT_TRUE(crowded.shows());
    const std::size_t held = memoryCounters().bytesDeviceHeld;
    crowded.fill(held / 2);
    const PipelineConfig larger = Crowded::withPixel(crowded.pipeline, 5e-6); // four times
    EXPECT_THROW(crowded.open(larger), OutOfMemory);
    EXPECT_TRUE(crowded.shows()) << "the shown frame is run again";
    crowded.session.engine().player().step(1);
    EXPECT_TRUE(crowded.shows());
    EXPECT_EQ(memoryCounters().bytesDeviceHeld - crowded.filler.bytes(), held);
    EXPECT_EQ(crowded.failures, 0);
}

} // namespace
} // namespace echolux
