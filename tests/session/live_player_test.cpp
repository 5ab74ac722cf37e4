// SPDX-License-Identifier: GPL-3.0-or-later
// A live source through player and engine: the newest frame, frozen frames, frames left out.
#include "app/session/session.hpp"
#include "tests/live/fake_source.hpp"
#include "tests/session/fake_recording.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using test::FakeSource;
using test::firstSample;
using test::waitUntil;

struct LivePlayer {
    FakeSource* source = new FakeSource;
    std::unique_ptr<LiveRecording> live;
    Ring ring{4, 2};
    std::unique_ptr<Player> player;

    explicit LivePlayer(std::int64_t ensemble = 1) {
        source->make({LiveSource::Outcome::Frame, 0});
        const std::size_t frame = source->info().frame.bytes();
        live = std::make_unique<LiveRecording>(std::unique_ptr<LiveSource>(source),
                                               LivePlace{.mostBytes = 64 * frame});
        player = std::make_unique<Player>(
            *live, ring, MemoryKind::Host, 0,
            Player::Callbacks{[] {}, [](const std::string&) {}, {}, {}, {}}, ensemble);
    }
    /// Number of the next delivered frame, which is what stands in its samples.
    std::int64_t next() {
        std::int64_t index = -1;
        waitUntil([&] {
            const RawRef frame = ring.tryTake();
            if (!frame) return false;
            index = frame->index;
            for (std::int64_t i = 0; i < frame->count; ++i)
                EXPECT_EQ(firstSample(frame->frame(i)), index + i);
            EXPECT_EQ(frame->count, frame->ensemble);
            return true;
        });
        return index;
    }
    bool has(std::int64_t frame) {
        return waitUntil([&] { return live->kept().last >= frame; });
    }
};

TEST(LivePlayer, DeliversEachFrameAsItComes) {
    LivePlayer test;
    EXPECT_EQ(test.next(), 0);
    EXPECT_TRUE(test.player->state().live);
    test.player->play();
    EXPECT_EQ(test.next(), 0) << "the newest one";
    for (std::int64_t n = 1; n <= 20; ++n) {
        test.source->makeFrames(n, n);
        EXPECT_EQ(test.next(), n);
    }
    EXPECT_EQ(test.player->framesLeftOut(), 0U);
    EXPECT_EQ(test.player->framesRead(), 21U);
    EXPECT_FALSE(test.player->hurries());
    EXPECT_EQ(test.player->sweep({1, 2}), 0U) << "no frame but the kept ones can be read";
}

TEST(LivePlayer, LeavesOutWhatItCannotKeepUpWith) {
    LivePlayer test;
    test.next();
    test.player->play();
    test.next();
    test.source->makeFrames(1, 50);
    ASSERT_TRUE(test.has(50)); // nobody takes them: two lie in the ring
    std::int64_t delivered = 0;
    std::int64_t last = 0;
    while (last < 50) {
        const std::int64_t number = test.next();
        EXPECT_GT(number, last);
        last = number;
        ++delivered;
    }
    EXPECT_EQ(delivered + static_cast<std::int64_t>(test.player->framesLeftOut()), 50);
    EXPECT_GT(test.player->framesLeftOut(), 30U);
}

TEST(LivePlayer, BehindFramesThatWereLeftOutWindowsAreFilledAnew) {
    LivePlayer test;
    test.next();
    test.player->setPast(3); // a window of four
    test.player->play();
    test.next();
    test.source->makeFrames(1, 50);
    ASSERT_TRUE(test.has(50));
    std::vector<std::pair<std::int64_t, bool>> delivered; // number, not to be shown
    while (delivered.empty() || delivered.back().first < 50) {
        ASSERT_TRUE(waitUntil([&] {
            const RawRef frame = test.ring.tryTake();
            if (!frame) return false;
            delivered.emplace_back(frame->index, frame->isPast);
            return true;
        }));
    }
    const std::vector<std::pair<std::int64_t, bool>> last(delivered.end() - 4, delivered.end());
    EXPECT_THAT(last, testing::ElementsAre(
                          std::pair(std::int64_t{47}, true), std::pair(std::int64_t{48}, true),
                          std::pair(std::int64_t{49}, true), std::pair(std::int64_t{50}, false)));
    const auto shown = std::ranges::count(delivered, false, &std::pair<std::int64_t, bool>::second);
    EXPECT_EQ(shown + static_cast<std::int64_t>(test.player->framesLeftOut()), 50);
    test.source->makeFrames(51, 52);
    EXPECT_EQ(test.next(), 51) << "goes on without a gap";
    EXPECT_EQ(test.next(), 52);
}

TEST(LivePlayer, FrozenItGoesThroughTheKeptFrames) {
    LivePlayer test;
    test.next();
    test.source->makeFrames(1, 30);
    ASSERT_TRUE(test.has(30));
    test.player->play();
    EXPECT_EQ(test.next(), 30) << "the newest one";
    test.player->freeze();
    PlayState state = test.player->state();
    EXPECT_EQ(state.first, 0);
    EXPECT_EQ(state.last, 30);
    test.source->makeFrames(31, 200);
    ASSERT_TRUE(waitUntil([&] { return test.live->counters().whileHeld == 170; }));
    EXPECT_EQ(test.player->state().last, 30) << "the kept frames stay";
    test.player->step(-5);
    EXPECT_EQ(test.next(), 25);
    test.player->seek(3);
    EXPECT_EQ(test.next(), 3);
    test.player->step(-10);
    EXPECT_EQ(test.next(), 0) << "no frame before the oldest one";
    test.player->setRange(3, 5);
    EXPECT_EQ(test.player->state().first, 0) << "a part of live frames cannot be played";
    test.player->play();
    EXPECT_EQ(test.next(), 30);
    test.source->makeFrames(31, 31);
    EXPECT_EQ(test.next(), 31) << "live again";
}

TEST(LivePlayer, EnsemblesAreWholeWindows) {
    LivePlayer test(4);
    test.source->makeFrames(1, 9);
    ASSERT_TRUE(test.has(9));
    EXPECT_EQ(test.next(), 0);
    test.player->play();
    EXPECT_EQ(test.next(), 4) << "8 to 11 is not complete";
    test.source->makeFrames(10, 13);
    EXPECT_EQ(test.next(), 8);
    test.source->makeFrames(14, 15);
    EXPECT_EQ(test.next(), 12);
    EXPECT_EQ(test.player->framesLeftOut(), 0U);
}

TEST(LiveEngine, ShowsASimulatorAndForgetsIt) {
    const OpenRequest request{"simulator:echoes?elements=8&waves=1&depth=10&rate=0"};
    PreparedEngine prepared = prepareEngine(request, Backend::Cpu);
    ASSERT_TRUE(prepared.engine);
    Engine& engine = *prepared.engine;
    EXPECT_TRUE(engine.info().live);
    ASSERT_NE(engine.live(), nullptr);
    engine.player().play();
    ASSERT_TRUE(waitUntil([&] { return engine.statistics().framesProcessed > 10; }));
    const Statistics now = engine.statistics();
    ASSERT_TRUE(now.live);
    EXPECT_EQ(now.framesRead, now.live->kept);
    EXPECT_EQ(now.live->lostAtSource, 0U);
    engine.player().freeze();
    const PlayState state = engine.player().state();
    engine.player().seek(state.first);
    ASSERT_TRUE(waitUntil([&] { return engine.shownRaw().index() == state.first; }));
}

TEST(LiveEngine, AnEnsembleIsImagedAsSoonAsItsFramesHaveCome) {
    OpenRequest request{"simulator:echoes?elements=8&waves=1&depth=10&rate=2000"};
    request.pipeline = shippedPipeline("colour_flow");
    PreparedEngine prepared = prepareEngine(request, Backend::Cpu);
    ASSERT_TRUE(prepared.engine);
    prepared.engine->player().play();
    ASSERT_TRUE(waitUntil([&] { return prepared.engine->statistics().framesProcessed >= 16 * 4; }));
}

TEST(LiveEngine, SaysWhyASourceCannotBeOpened) {
    EXPECT_THAT(testing_support::refusal(
                    [] { prepareEngine(OpenRequest{"simulator:heart"}, Backend::Cpu); }),
                testing::HasSubstr("simulator:oct"));
}

} // namespace
} // namespace echolux
