// SPDX-License-Identifier: GPL-3.0-or-later
// A sink beside the mailbox and the volume: it gets every image, in order, whatever the screen
// does.
#include "app/session/checked_image.hpp"
#include "tests/session/recording_sinks.hpp"

#include <array>
#include <optional>
#include <vector>

namespace echolux {
namespace {

using test::ImageLog;
using test::waitUntil;
using test::Watched;

constexpr const char* kVolume = ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5";
TEST(ImageSink, GetsEveryFrameInOrderWhileTheMailboxDropsSome) {
    ImageLog log;
    Watched live(200);
    live.engine->addSink(log);
    live.playOnce();
    ASSERT_TRUE(waitUntil([&] { return log.count() == 199; })) << "all but the first";
    live.engine->removeSink(log);
    const auto entries = log.done();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const FrameRun& frames = entries[i].frames;
        ASSERT_EQ(frames.first, static_cast<std::int64_t>(i) + 1);
        ASSERT_EQ(frames.count, 1);
        ASSERT_FALSE(frames.again);
        ASSERT_EQ(entries[i].serial, i + 2);
        ASSERT_EQ(entries[i].images.front().front(), static_cast<float>(frames.first));
    }
    EXPECT_EQ(live.shown(), entries.back().images.front()) << "the only one that was fetched";
    EXPECT_EQ(live.engine->mailbox().acquire(), nullptr);
    EXPECT_EQ(live.told(), "");
}

TEST(ImageSink, IsLeftAloneOnceRemoved) {
    ImageLog log;
    Watched live(4);
    live.engine->addSink(log);
    ASSERT_TRUE(live.seeks(1));
    live.engine->removeSink(log);
    ASSERT_TRUE(live.seeks(2));
    EXPECT_EQ(log.count(), 1U);
    ASSERT_EQ(log.formats().size(), 2U);
    EXPECT_NE(log.formats().front().image, nullptr);
    EXPECT_EQ(log.formats().back().image, nullptr) << "its memory goes back";
}

TEST(ImageSink, GetsTheShownFrameAgainAfterAnEdit) {
    ImageLog log;
    Watched live(4);
    ASSERT_TRUE(live.seeks(3));
    live.engine->addSink(log);
    live.engine->post(withValue(*live.engine->snapshot(), "to_float", "scale", 10.0));
    ASSERT_TRUE(waitUntil([&] { return log.count() == 1; }));
    const ImageLog::Entry entry = log.done().front();
    EXPECT_TRUE(entry.frames.again);
    EXPECT_EQ(entry.frames.first, 3);
    EXPECT_EQ(entry.images.front().front(), 30.0F);
    EXPECT_EQ(log.formats().size(), 2U) << "told of the edit";
    EXPECT_EQ(log.formats().back().snapshot, live.engine->snapshot());
    ASSERT_TRUE(live.seeks(1));
    ASSERT_TRUE(waitUntil([&] { return log.count() == 2; }));
    EXPECT_FALSE(log.done().back().frames.again);
}

TEST(ImageSink, GetsTheImagesOfItsViewAlone) {
    std::array<ImageLog, 3> logs;
    Watched live(4, test::twoViews());
    for (std::size_t view = 0; view < 3; ++view) live.engine->addSink(logs[view], view);
    ASSERT_TRUE(live.seeks(2));
    ASSERT_TRUE(waitUntil([&] { return logs[1].count() == 1; }));
    EXPECT_EQ(logs[0].done().front().images.front(), live.shown(0));
    EXPECT_EQ(logs[1].done().front().images.front(), live.shown(1));
    EXPECT_NE(logs[0].done().front().images, logs[1].done().front().images);
    EXPECT_EQ(logs[2].count(), 0U) << "there is no such view";
    EXPECT_EQ(logs[2].formats().back().image, nullptr);
}

/// Views: "a", and "b" over it, which is twice as bright.
PipelineConfig oneOverTheOther() {
    PipelineConfig config = test::twoViews();
    config.views[1].over = config.views[0].id;
    return config;
}

/// The image of view "b" and the one beneath it, as the GL thread fetches them.
struct Pair {
    std::vector<float> above;
    std::vector<float> beneath;
};
std::optional<Pair> pairOf(Engine& engine) {
    const DisplayFrame* frame = engine.mailbox(1).acquire();
    if (frame == nullptr) return std::nullopt;
    EXPECT_NE(frame->beneath, nullptr);
    if (frame->beneath == nullptr) return std::nullopt;
    const auto pixels = [](const float* from, const FrameSpec& spec) {
        return std::vector<float>(from, from + spec.count());
    };
    Pair pair{pixels(frame->pixels, *frame->spec), pixels(frame->beneath, *frame->beneathSpec)};
    engine.mailbox(1).release(nullptr);
    return pair;
}

TEST(ImageSink, AViewOverAnotherComesWithTheImageOfTheSameFrame) {
    Watched live(200, oneOverTheOther());
    const auto expectPair = [&](float brightness) {
        const auto pair = pairOf(*live.engine);
        ASSERT_TRUE(pair);
        EXPECT_EQ(pair->beneath.front(), brightness);
        EXPECT_EQ(pair->above.front(), 2.0F * brightness);
    };
    ASSERT_TRUE(live.seeks(3));
    expectPair(3.0F);
    live.engine->post(withValue(*live.engine->snapshot(), "to_float", "scale", 10.0));
    ASSERT_TRUE(live.processes(3));
    expectPair(30.0F);
    // At full speed images are left out, but never half of a pair.
    live.playOnce();
    int pairs = 0;
    ASSERT_TRUE(waitUntil([&] {
        if (const auto pair = pairOf(*live.engine)) {
            EXPECT_EQ(pair->above.front(), 2.0F * pair->beneath.front());
            ++pairs;
        }
        return live.processed() >= 199;
    }));
    EXPECT_GT(pairs, 0);
    live.engine->post(instantiate(test::twoViews(), live.engine->info().frame));
    ASSERT_TRUE(waitUntil([&] {
        const DisplayFrame* frame = live.engine->mailbox(1).acquire();
        const bool alone = frame != nullptr && frame->beneath == nullptr;
        if (frame != nullptr) live.engine->mailbox(1).release(nullptr);
        return alone;
    })) << "without the link the image comes alone";
    EXPECT_EQ(live.told(), "");
}

TEST(ImageSink, GetsEachFrameOfRuns) {
    const auto open = [](std::size_t runBytes) {
        auto recording = openRecording(kVolume);
        SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, {});
        return std::make_unique<Watched>(std::move(recording), std::move(snapshot), runBytes);
    };
    std::array<ImageLog, 2> logs;
    std::array<std::vector<std::vector<float>>, 2> images;
    for (const std::size_t which : {0, 1}) {
        const auto live = open(which == 0 ? 0 : std::size_t{8} * 64 * 512 * 2);
        live->engine->addSink(logs[which]);
        live->playOnce();
        ASSERT_TRUE(live->processes(48));
        live->engine->removeSink(logs[which]);
        EXPECT_EQ(live->shown(), logs[which].done().back().images.back());
        std::int64_t next = 1; // the first was there before
        for (const ImageLog::Entry& entry : logs[which].done()) {
            EXPECT_EQ(entry.frames.first, next);
            next += entry.frames.count;
            for (const auto& image : entry.images) images[which].push_back(image);
        }
        EXPECT_EQ(next, 48);
    }
    EXPECT_GT(logs[1].done().back().frames.count, 1);
    EXPECT_EQ(images[0], images[1]);
}

TEST(ImageSink, IsNotGivenFramesOfASweep) {
    ImageLog log;
    const auto live = sweptBefore(log);
    EXPECT_EQ(log.count(), 0U);
    ASSERT_TRUE(live->seeks(5));
    live->engine->removeSink(log);
    ASSERT_EQ(log.count(), 1U);
    EXPECT_EQ(log.done().front().frames.first, 5);
}

TEST(ImageSink, IsToldWhatNeverWillBeDone) {
    ImageLog bystander;
    ImageLog failing;
    Watched live(4);
    live.engine->addSink(bystander);
    live.engine->addSink(failing);
    failing.failAt = 2;
    live.engine->player().seek(2);
    ASSERT_TRUE(waitUntil([&] { return live.told() == "The log is full; empty it."; }));
    EXPECT_EQ(bystander.abandoned(), 1U);
    EXPECT_EQ(failing.abandoned(), 1U);
    failing.failAt = -1;
    ASSERT_TRUE(live.seeks(1));
    live.engine->removeSink(bystander);
    ASSERT_EQ(bystander.count(), 1U);
    EXPECT_EQ(bystander.done().front().frames.first, 1);
    EXPECT_EQ(live.shown().front(), 1.0F) << "the mailbox has all its images back";
}

TEST(ImageSink, GivesItsMemoryBackWhileTheEngineIsSuspended) {
    ImageLog log;
    Watched live(4);
    live.engine->addSink(log);
    live.engine->suspend();
    EXPECT_EQ(log.formats().back().image, nullptr);
    live.engine->resume();
    ASSERT_TRUE(waitUntil([&] { return log.count() == 1; }));
    EXPECT_NE(log.formats().back().image, nullptr);
}

TEST(ImageSink, WhoseMemoryDoesNotSufficeIsRefused) {
    ImageLog log;
    Watched live(4);
    log.refuses = [](const ImageFormat&) { return true; };
    EXPECT_THROW(live.engine->addSink(log), OutOfMemory);
    ASSERT_TRUE(live.seeks(1));
    EXPECT_EQ(log.count(), 0U);
    log.refuses = {};
    live.engine->addSink(log);
    log.refuses = [](const ImageFormat& format) {
        return format.snapshot->stage("to_float").params.get("scale") == ParamValue(2.0);
    };
    const SnapshotPtr before = live.engine->snapshot();
    live.engine->post(withValue(*before, "to_float", "scale", 2.0));
    ASSERT_TRUE(waitUntil([&] { return live.told() == "The log takes no such images."; }));
    EXPECT_EQ(live.engine->snapshot(), before) << "the edit is refused for all";
    ASSERT_TRUE(live.seeks(3));
    // The frame of the refused edit may be imaged once more before.
    EXPECT_TRUE(waitUntil([&] { return live.shown().front() == 3.0F; }));
}

} // namespace
} // namespace echolux
