// SPDX-License-Identifier: GPL-3.0-or-later
// Windows of `gather` hold the images before the shown one, wherever playback stands and whatever
// is edited.
#include "app/pipeline/past_images.hpp"
#include "app/session/engine.hpp"
#include "app/session/offline/offline.hpp"
#include "tests/session/fake_recording.hpp"

#include <gmock/gmock.h>

#include <cstring>

namespace echolux {
namespace {

using test::FakeRecording;
using test::waitUntil;

constexpr std::int64_t kWindow = 4;

/// The mean of the last kWindow frames, whose first pixel is their number.
PipelineConfig meanOfLast(std::int64_t window = kWindow, std::int64_t ensemble = 1) {
    PipelineConfig config =
        ensemble > 1 ? test::chainOf({"to_float", "one_frame", "gather", "ensemble_mean"})
                     : test::chainOf({"to_float", "gather", "ensemble_mean"});
    config.recording.ensemble = ensemble;
    for (StageConfig& stage : config.stages)
        if (stage.type == "gather") stage.values.emplace_back("frames", window);
    return config;
}

struct SlidingLive {
    std::string failure;
    std::unique_ptr<Engine> engine;

    explicit SlidingLive(const PipelineConfig& config = meanOfLast()) {
        auto recording = std::make_unique<FakeRecording>(20, 30.0);
        const SnapshotPtr snapshot = instantiate(config, recording->info().frame);
        engine = std::make_unique<Engine>(
            std::move(recording), snapshot, Backend::Cpu,
            Engine::Callbacks{[](std::size_t) {},
                              [this](const std::string& text) { failure = text; }, [] {}});
    }

    float shown() const {
        const DisplayFrame* frame = nullptr;
        if (!waitUntil([&] { return (frame = engine->mailbox().acquire()) != nullptr; }))
            return -1.0F;
        const float first = frame->pixels[0];
        engine->mailbox().release(nullptr);
        return first;
    }
    /// Also where an image before it was shown for a moment.
    bool becomes(float expected) const {
        float last = -1.0F;
        const bool became = waitUntil([&] {
            if (const DisplayFrame* frame = engine->mailbox().acquire()) {
                last = frame->pixels[0];
                engine->mailbox().release(nullptr);
            }
            return last == expected;
        });
        if (!became) ADD_FAILURE() << last << " is not " << expected;
        return became;
    }
    void edit(const char* stage, const char* key, const ParamValue& value) const {
        engine->post(withValue(*engine->snapshot(), stage, key, value));
    }
};

TEST(SlidingWindows, ASeekFillsThem) {
    const SlidingLive live;
    EXPECT_EQ(live.shown(), 0.0F);
    Player& player = live.engine->player();
    player.seek(9);
    EXPECT_EQ(live.shown(), 7.5F);
    player.step(1);
    EXPECT_EQ(live.shown(), 8.5F);
    player.step(-1);
    EXPECT_EQ(live.shown(), 7.5F);
    player.seek(1);
    EXPECT_EQ(live.shown(), 0.25F) << "before the first frame there is none";
    EXPECT_EQ(live.engine->statistics().framesRead, 5U);
    EXPECT_EQ(live.engine->statistics().framesProcessed, 5U);
    EXPECT_EQ(live.failure, "");
}

TEST(SlidingWindows, HoldImagesOfThePipelineInForce) {
    const SlidingLive live;
    live.engine->player().seek(9);
    ASSERT_TRUE(live.becomes(7.5F));
    live.edit("to_float", "scale", 2.0); // before gather
    EXPECT_TRUE(live.becomes(15.0F));
    live.edit("gather", "frames", std::int64_t{6}); // begins anew
    EXPECT_TRUE(live.becomes(13.0F));
    live.edit("to_float", "scale", 1.0);
    EXPECT_TRUE(live.becomes(6.5F));
    EXPECT_EQ(live.engine->player().state().position, 9);
    EXPECT_EQ(live.engine->statistics().framesDropped, 0U);
}

TEST(SlidingWindows, EditsInQuickSuccessionEndRight) {
    const SlidingLive live;
    live.engine->player().seek(12);
    ASSERT_TRUE(live.becomes(10.5F));
    for (int i = 1; i <= 40; ++i) live.edit("to_float", "scale", 1.0 + i);
    EXPECT_TRUE(live.becomes(41.0F * 10.5F));
    live.engine->player().step(1);
    EXPECT_TRUE(live.becomes(41.0F * 11.5F));
}

TEST(SlidingWindows, OfEnsemblesHoldTheEnsemblesBefore) {
    const SlidingLive live(meanOfLast(3, 2)); // the last frame of each pair
    live.engine->player().seek(9);
    EXPECT_TRUE(live.becomes(7.0F)) << "frames 5, 7 and 9";
}

TEST(SlidingWindows, OfSingleFramesAreFullToo) {
    FakeRecording recording(20, 30.0);
    const SnapshotPtr snapshot = instantiate(meanOfLast(), recording.info().frame);
    EXPECT_EQ(imagesBefore(*snapshot), kWindow - 1);
    const HostFrameData frame = processFrame(recording, snapshot, Backend::Cpu, 9);
    float first = 0.0F;
    std::memcpy(&first, frame.bytes.data(), sizeof first);
    EXPECT_EQ(first, 7.5F);
}

} // namespace
} // namespace echolux
