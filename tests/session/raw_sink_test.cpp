// SPDX-License-Identifier: GPL-3.0-or-later
// A reader of raw frames beside the pipeline: it gets each once, and may keep them.
#include "app/session/checked_image.hpp"
#include "tests/session/recording_sinks.hpp"

#include <numeric>

namespace echolux {
namespace {

using test::FakeRecording;
using test::RawLog;
using test::waitUntil;
using test::Watched;

std::vector<std::int64_t> numbers(std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(last - first + 1));
    std::iota(all.begin(), all.end(), first);
    return all;
}

/// None of the frames is kept in memory, so each lies in its slot.
std::unique_ptr<Watched> fromSlots(std::int64_t frames) {
    auto recording = std::make_unique<FakeRecording>(frames, 1000.0);
    SnapshotPtr snapshot = instantiate(test::chainOf({"to_float"}), recording->info().frame);
    return std::make_unique<Watched>(std::move(recording), std::move(snapshot), 0, 0);
}

TEST(RawSink, GetsEachFrameOnceAndInOrder) {
    RawLog log;
    Watched live(300);
    live.engine->addSink(log);
    live.playOnce();
    ASSERT_TRUE(live.processes(300));
    EXPECT_EQ(log.frames(), numbers(1, 299)) << "all but the first";
    live.engine->post(withValue(*live.engine->snapshot(), "to_float", "scale", 2.0));
    ASSERT_TRUE(live.processes(301));
    EXPECT_EQ(log.frames().size(), 299U) << "an edit shows the same frame again";
    live.engine->removeSink(log);
    EXPECT_TRUE(log.ended());
    ASSERT_TRUE(live.seeks(5));
    EXPECT_EQ(log.frames().size(), 299U);
}

TEST(RawSink, GetsRunsAsTheyTravel) {
    RawLog log;
    auto recording = openRecording(ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5");
    SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, {});
    Watched live(std::move(recording), std::move(snapshot), std::size_t{8} * 64 * 512 * 2);
    live.engine->addSink(log);
    live.playOnce();
    ASSERT_TRUE(live.processes(48));
    EXPECT_EQ(log.frames(), numbers(1, 47));
    EXPECT_GT(log.longestRun(), 1);
    live.engine->removeSink(log);
}

TEST(RawSink, IsNotGivenFramesOfASweep) {
    RawLog log;
    const auto live = sweptBefore(log);
    ASSERT_TRUE(live->seeks(5));
    live->engine->removeSink(log);
    EXPECT_EQ(log.frames(), numbers(5, 5));
}

TEST(RawSink, WhatItKeepsIsNotOverwrittenAndTheRecordingWaits) {
    RawLog log(1000);
    const auto live = fromSlots(40);
    live->engine->addSink(log);
    live->playOnce();
    std::vector<std::int64_t> taken;
    ASSERT_TRUE(waitUntil([&] {
        taken = log.frames();
        // That nothing comes can only be waited for: nobody tells that the source waits.
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return !taken.empty() && taken == log.frames() && live->processed() == taken.size() + 1;
    })) << "the pipeline does what there is";
    const std::vector<float> kept = log.kept();
    taken = log.frames(); // not fewer
    ASSERT_LT(taken.size(), 10U) << "the source has no slot left";
    ASSERT_LE(kept.size(), taken.size());
    for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(kept[i], static_cast<float>(taken[i]));
    while (live->processed() < 40) { // from another thread than the one that took them
        log.letGo();
        std::this_thread::yield();
    }
    EXPECT_EQ(log.frames(), numbers(1, 39)) << "nothing was lost";
    EXPECT_EQ(live->engine->statistics().framesDropped, 0U);
    live->engine->removeSink(log);
}

TEST(RawSink, IsEndedWithTheEngine) {
    RawLog log(1000);
    auto live = fromSlots(40);
    live->engine->addSink(log);
    live->playOnce();
    ASSERT_TRUE(live->processes(2));
    live.reset();
    EXPECT_TRUE(log.ended());
    EXPECT_TRUE(log.kept().empty());
}

} // namespace
} // namespace echolux
