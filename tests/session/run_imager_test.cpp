// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of B-scans imaged at once: which pipelines allow them, and that images and volume are those
// of frames imaged one by one.
#include "app/session/checked_image.hpp"
#include "app/session/engine.hpp"
#include "app/session/run_imager.hpp"
#include "app/session/session.hpp"
#include "gpu/memory/buffer.hpp"
#include "tests/session/recording_sinks.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <mutex>

namespace echolux {
namespace {

using test::waitUntil;

constexpr const char* kRetinaVolume = ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5";
constexpr std::size_t kEightFrames = std::size_t{8} * 64 * 512 * 2;

std::unique_ptr<Recording> volume() { return openRecording(kRetinaVolume); }

SnapshotPtr pipelineOf(const Recording& recording) {
    return imagingSnapshot(recording.info().frame, {});
}

TEST(RunImager, TakesAPowerOfTwoOfFramesThatFit) {
    const auto recording = volume();
    const SnapshotPtr single = pipelineOf(*recording);
    const std::size_t frame = recording->info().frame.bytes();
    for (const auto& [bytes, frames] : {std::pair<std::size_t, std::int64_t>{0, 1},
                                        {frame, 1},
                                        {2 * frame, 2},
                                        {7 * frame, 4},
                                        {1000 * frame, 32}}) { // of 48 B-scans in the volume
        RunImager imager(Backend::Cpu, 1, bytes);
        EXPECT_EQ(imager.prepare(*single), frames) << bytes;
        EXPECT_EQ(imager.frames(), frames);
    }
}

TEST(RunImager, WhatItMakesOnceIsNotCountedAsWhatFramesAllocate) {
    const auto recording = volume();
    RunImager imager(Backend::Cpu, 1, 8 * recording->info().frame.bytes());
    const SnapshotPtr single = pipelineOf(*recording);
    const auto allocations = memoryCounters().allocations;
    EXPECT_EQ(imager.prepare(*single), 8);
    EXPECT_EQ(memoryCounters().allocations, allocations);
}

TEST(RunImager, RefusesWhatMixesBscansOrRemembersFrames) {
    const auto recording = volume();
    const SnapshotPtr single = pipelineOf(*recording);
    RunImager imager(Backend::Cpu, 1, 8 * recording->info().frame.bytes());
    EXPECT_EQ(imager.prepare(*single), 8);
    EXPECT_EQ(imager.prepare(*withBypass(*single, "fixed_pattern", false)), 1);
    EXPECT_EQ(imager.prepare(*withValue(*single, "background_subtract", "source", "frame_mean")),
              1);
    const SnapshotPtr average = withBypass(*single, "average", false);
    EXPECT_EQ(imager.prepare(*average), 8) << "of one B-scan";
    EXPECT_EQ(imager.prepare(*withValue(*average, "average", "b_scans", std::int64_t{3})), 1);
    EXPECT_EQ(imager.prepare(*withBypass(*single, "scan_correction", false)), 8);
}

TEST(RunImager, RefusesEchoesOfSound) {
    const auto cine = openRecording(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5");
    RunImager imager(Backend::Cpu, 1, std::size_t{1} << 30);
    EXPECT_EQ(imager.prepare(*pipelineOf(*cine)), 1);
}

/// A volume played once as fast as possible, its frames alone or in runs.
struct Played {
    std::mutex mutex;
    std::string failure;
    std::unique_ptr<Engine> engine;

    Played(std::size_t runBytes, const std::string& on) {
        auto recording = volume();
        SnapshotPtr snapshot = pipelineOf(*recording);
        if (!on.empty()) snapshot = withBypass(*snapshot, on, false);
        engine = std::make_unique<Engine>(std::move(recording), std::move(snapshot), Backend::Cpu,
                                          Engine::Callbacks{[](std::size_t) {},
                                                            [this](const std::string& text) {
                                                                const std::lock_guard lock(mutex);
                                                                failure = text;
                                                            },
                                                            [] {}},
                                          EngineLimits{std::size_t{1} << 30, runBytes});
    }
    void playOnce() {
        engine->player().setLoop(false);
        engine->player().setSpeed(0.0);
        engine->player().play();
        EXPECT_TRUE(waitUntil([&] { return engine->statistics().framesProcessed >= 48; }));
        EXPECT_TRUE(waitUntil([&] { return !engine->volume().hasWork(); }));
        EXPECT_EQ(engine->statistics().framesProcessed, 48U) << "each frame once";
    }
    std::vector<std::uint16_t> voxels() {
        const DisplayVolume* shown = nullptr;
        engine->volume().offerAgain();
        EXPECT_TRUE(waitUntil([&] { return (shown = engine->volume().acquire()) != nullptr; }));
        if (shown == nullptr) return {};
        std::vector<std::uint16_t> bits(static_cast<std::size_t>(shown->shape.count()));
        std::memcpy(bits.data(), shown->voxels, bits.size() * sizeof(std::uint16_t));
        engine->volume().release(nullptr);
        return bits;
    }
    /// Of the last frame. NOTE: a frame counts as processed just before its image is published.
    std::vector<float> image() {
        Mailbox& mailbox = engine->mailbox();
        const DisplayFrame* shown = nullptr;
        EXPECT_TRUE(waitUntil([&] {
            shown = mailbox.acquire();
            if (shown == nullptr || mailbox.shownFrame() == 47) return shown != nullptr;
            mailbox.release(nullptr);
            return false;
        }));
        if (shown == nullptr) return {};
        std::vector<float> pixels(shown->pixels, shown->pixels + shown->spec->count());
        engine->mailbox().release(nullptr);
        return pixels;
    }
};

class EngineRuns : public testing::TestWithParam<std::string> {};

TEST_P(EngineRuns, MakeTheImagesOfFramesOneByOne) {
    Played alone(0, GetParam());
    Played runs(kEightFrames * 100, GetParam());
    alone.playOnce();
    runs.playOnce();
    EXPECT_EQ(alone.engine->framesPerRun(), 1);
    EXPECT_EQ(runs.engine->framesPerRun(), 32);
    EXPECT_EQ(alone.voxels(), runs.voxels());
    EXPECT_EQ(alone.image(), runs.image()) << "the last of the run";
    EXPECT_EQ(runs.engine->mailbox().shownFrame(), 47);
    const Engine::RawCopy raw = runs.engine->copyShownRaw();
    EXPECT_EQ(raw.frame, 47);
    EXPECT_EQ(raw.bytes, alone.engine->copyShownRaw().bytes);
}

INSTANTIATE_TEST_SUITE_P(WithStage, EngineRuns, testing::Values("", "scan_correction"),
                         [](const auto& tried) {
                             return tried.param.empty() ? std::string("none") : tried.param;
                         });

TEST(EngineRuns, EditsWhilePlayingArriveAndNothingIsLost) {
    test::ImageLog log;
    Played runs(kEightFrames, "");
    ASSERT_TRUE(waitUntil([&] { return runs.engine->statistics().framesProcessed == 1; }));
    runs.engine->addSink(log);
    const auto readBefore = runs.engine->statistics().framesRead;
    runs.engine->player().setSpeed(0.0);
    runs.engine->player().play();
    for (int i = 0; i < 12; ++i) {
        const bool bypass = i % 2 == 0;
        const SnapshotPtr now = runs.engine->snapshot();
        SnapshotPtr next = withBypass(*now, "fixed_pattern", bypass); // alone, then in runs again
        next = withValue(*next, "dispersion", "c2", 10.0 * i);
        runs.engine->post(next);
        const auto before = runs.engine->statistics().framesProcessed;
        EXPECT_TRUE(
            waitUntil([&] { return runs.engine->statistics().framesProcessed > before + 16; }));
    }
    runs.engine->player().freeze();
    const auto imaged = [&] { // but for those run again after an edit
        std::int64_t count = 0;
        for (const test::ImageLog::Entry& entry : log.done())
            count += entry.frames.again ? 0 : entry.frames.count;
        return static_cast<std::uint64_t>(count);
    };
    EXPECT_TRUE(
        waitUntil([&] { return imaged() == runs.engine->statistics().framesRead - readBefore; }));
    runs.engine->removeSink(log);
    const std::lock_guard lock(runs.mutex);
    EXPECT_EQ(runs.failure, "");
}

} // namespace
} // namespace echolux
