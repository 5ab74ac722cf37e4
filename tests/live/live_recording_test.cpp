// SPDX-License-Identifier: GPL-3.0-or-later
// Frames in memory: which are kept, what is counted, who holds them.
#include "app/live/live_recording.hpp"

#include "tests/live/fake_source.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/wait_until.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace echolux {
namespace {

using test::FakeSource;
using test::firstSample;
using test::waitUntil;
using testing::HasSubstr;
using testing_support::refusal;
using Outcome = LiveSource::Outcome;

std::byte* written(FrameHistory& history) {
    std::byte* room = history.beginWrite();
    if (room != nullptr) history.publish({});
    return room;
}

struct NoOwner final : LiveFrames {
    explicit NoOwner(FrameHistory& of) : history(of) {}
    KeptFrames kept() const override { return history.kept(); }
    FrameLoan lend(std::int64_t number) override { return history.lend(number, *this); }
    void listen(std::function<void()>) override {}
    void hold(bool) override {}
    LiveCounters counters() const override { return {}; }
    void giveBack(std::size_t slot) override { history.giveBack(slot); }
    FrameHistory& history;
};

TEST(FrameHistory, KeepsTheLatestFrames) {
    FrameHistory history(MemoryKind::Host, 100, 3);
    NoOwner frames(history);
    EXPECT_LT(history.kept().last, history.kept().first) << "empty";
    for (int i = 0; i < 5; ++i) ASSERT_NE(written(history), nullptr);
    EXPECT_EQ(history.kept().first, 2);
    EXPECT_EQ(history.kept().last, 4);
    EXPECT_FALSE(frames.lend(1));
    EXPECT_TRUE(frames.lend(2));
    EXPECT_FALSE(frames.lend(5));
}

TEST(FrameHistory, AFrameThatSomebodyReadsIsNotReplaced) {
    FrameHistory history(MemoryKind::Host, 100, 3);
    NoOwner frames(history);
    for (int i = 0; i < 3; ++i) *written(history) = std::byte(i);
    FrameLoan first = frames.lend(0);
    for (int i = 3; i < 10; ++i) *written(history) = std::byte(i);
    EXPECT_EQ(*first.samples(), std::byte{0});
    EXPECT_TRUE(frames.lend(0));
    EXPECT_TRUE(frames.lend(9));
    EXPECT_FALSE(frames.lend(4));
    const FrameLoan eighth = frames.lend(8);
    const FrameLoan ninth = frames.lend(9);
    EXPECT_TRUE(eighth && ninth);
    ASSERT_NE(written(history), nullptr) << "memory for one more";
    EXPECT_EQ(history.beginWrite(), nullptr) << "readers hold all but the newest";
    first = {};
    EXPECT_NE(history.beginWrite(), nullptr);
    history.abandonWrite();
    EXPECT_EQ(history.kept().last, 10);
}

struct LiveFake {
    FakeSource* source = new FakeSource;
    std::unique_ptr<LiveRecording> live;

    explicit LiveFake(std::int64_t kept = 16) {
        source->make({Outcome::Frame, 0});
        const std::size_t frame = source->info().frame.bytes();
        live = std::make_unique<LiveRecording>(
            std::unique_ptr<LiveSource>(source),
            LivePlace{.seconds = 0.01, .mostBytes = frame * static_cast<std::size_t>(kept)});
    }
    bool counts(std::uint64_t LiveCounters::*what, std::uint64_t wanted) {
        return waitUntil([&] { return live->counters().*what >= wanted; });
    }
};

TEST(LiveRecording, FramesComeOneAfterTheOther) {
    LiveFake fake;
    fake.source->makeFrames(1, 40);
    ASSERT_TRUE(fake.counts(&LiveCounters::kept, 41));
    EXPECT_EQ(fake.live->kept().last, 40);
    EXPECT_EQ(fake.live->kept().count(), 16);
    const FrameLoan newest = fake.live->lend(40);
    EXPECT_EQ(firstSample(newest.samples()), 40);
    std::vector<std::byte> read(fake.live->info().frame.bytes());
    fake.live->readFrame(30, read);
    EXPECT_EQ(firstSample(read.data()), 30);
    EXPECT_THAT(refusal([&] { fake.live->readFrame(3, read); }), HasSubstr("no longer kept"));
    EXPECT_EQ(fake.live->counters().lostAtSource, 0U);
    EXPECT_TRUE(fake.live->info().live);
}

TEST(LiveRecording, GapsInTheSourcesNumbersAreLosses) {
    LiveFake fake;
    fake.source->makeFrames(1, 3);
    fake.source->makeFrames(7, 9); // 4 to 6 were lost
    fake.source->makeFrames(2, 4); // it has started again
    ASSERT_TRUE(fake.counts(&LiveCounters::kept, 10));
    EXPECT_EQ(fake.live->counters().lostAtSource, 3U);
}

TEST(LiveRecording, WhileHeldTheKeptFramesStay) {
    LiveFake fake;
    fake.source->makeFrames(1, 20);
    ASSERT_TRUE(fake.counts(&LiveCounters::kept, 21));
    fake.live->hold(true);
    fake.source->makeFrames(21, 90);
    ASSERT_TRUE(fake.counts(&LiveCounters::whileHeld, 70));
    EXPECT_EQ(fake.live->kept().last, 20);
    EXPECT_EQ(fake.live->kept().count(), 16);
    fake.live->addRecorder();
    fake.source->makeFrames(91, 120);
    ASSERT_TRUE(waitUntil([&] {
        const LiveCounters now = fake.live->counters();
        return now.kept + now.whileHeld == 121;
    }));
    EXPECT_EQ(fake.live->counters().kept, 21U + 30U) << "somebody records";
    fake.live->removeRecorder();
    fake.live->hold(false);
}

TEST(LiveRecording, FramesWithoutRoomAreCounted) {
    LiveFake fake(2);
    fake.source->makeFrames(1, 1);
    ASSERT_TRUE(fake.counts(&LiveCounters::kept, 2));
    const FrameLoan a = fake.live->lend(0);
    const FrameLoan b = fake.live->lend(1);
    fake.source->makeFrames(2, 2);
    ASSERT_TRUE(fake.counts(&LiveCounters::kept, 3));
    const FrameLoan c = fake.live->lend(2);
    fake.source->makeFrames(3, 5);
    ASSERT_TRUE(fake.counts(&LiveCounters::withoutRoom, 3));
    EXPECT_EQ(firstSample(a.samples()), 0);
    EXPECT_EQ(firstSample(b.samples()), 1);
}

TEST(LiveRecording, MalformedFramesAreCountedAndTheSourceGoesOn) {
    LiveFake fake;
    fake.source->make({Outcome::Malformed, 1});
    fake.source->makeFrames(2, 2);
    ASSERT_TRUE(fake.counts(&LiveCounters::kept, 2));
    EXPECT_EQ(fake.live->counters().malformed, 1U);
    EXPECT_EQ(fake.live->counters().lostAtSource, 0U);
    EXPECT_THAT(fake.live->counters().reason, HasSubstr("test said so"));
}

TEST(LiveRecording, TheEndAndAFailureAreTold) {
    for (const FakeSource::Step& last : {FakeSource::Step{Outcome::Ended, 0},
                                         FakeSource::Step{Outcome::Frame, FakeSource::kFails}}) {
        LiveFake fake;
        std::atomic<int> told{0};
        fake.live->listen([&] { ++told; });
        fake.source->make(last);
        ASSERT_TRUE(
            waitUntil([&] { return fake.live->counters().state == LiveState::Ended && told > 0; }));
        EXPECT_FALSE(fake.live->counters().reason.empty());
        EXPECT_TRUE(fake.live->lend(0)) << "what came is still there";
        EXPECT_FALSE(fake.live->waitFor(5, 60.0)) << "nothing to wait for";
    }
}

TEST(LiveRecording, AnotherLayoutEndsIt) {
    LiveFake fake;
    fake.source->make({Outcome::Changed, 0});
    ASSERT_TRUE(waitUntil([&] { return fake.live->counters().state == LiveState::Changed; }));
}

TEST(LiveRecording, ASourceThatNeverStartsIsRefused) {
    EXPECT_THAT(refusal([] { const LiveRecording live(std::make_unique<FakeSource>(), {}, 0.05); }),
                HasSubstr("no frame came within 0.05 s"));
    EXPECT_THAT(refusal([] {
                    auto source = std::make_unique<FakeSource>();
                    source->make({Outcome::Frame, FakeSource::kFails});
                    const LiveRecording live(std::move(source), {});
                }),
                HasSubstr("cable was pulled"));
    EXPECT_THAT(refusal([] {
                    const LiveRecording live(std::make_unique<FakeSource>(), {.mostBytes = 50});
                }),
                HasSubstr("allow more memory"));
}

TEST(LiveRecording, KeepsAsManySecondsAsAsked) {
    auto source = std::make_unique<FakeSource>(100.0);
    source->make({Outcome::Frame, 0});
    const LiveRecording live(std::move(source), {.seconds = 3.0});
    EXPECT_EQ(live.counters().mostKept, 300);
}

} // namespace
} // namespace echolux
