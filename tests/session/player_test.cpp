// SPDX-License-Identifier: GPL-3.0-or-later
// The player's positions and pace, runs of frames, damage and warnings.
#include "app/session/stream/player.hpp"
#include "app/session/stream/ring.hpp"
#include "tests/session/fake_recording.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <thread>

namespace echolux {
namespace {

using test::FakeRecording;
using test::waitUntil;

/// Collects what a player delivers.
struct Collector {
    FakeRecording recording{5, 30.0};
    Ring ring{4, 2};
    std::string failure;
    std::vector<std::string> warnings;
    Player player{recording,
                  ring,
                  MemoryKind::Host,
                  std::size_t{1} << 20,
                  {[] {}, [this](const std::string& text) { failure = text; },
                   [this](const std::string& text) { warnings.push_back(text); }}};

    std::int64_t next(std::uint64_t sweep = 0) {
        std::int64_t index = -1;
        waitUntil([&] {
            const RawRef frame = ring.tryTake();
            if (!frame) return false;
            index = frame->index;
            EXPECT_EQ(frame->sweep, sweep);
            EXPECT_EQ(reinterpret_cast<const float*>(frame->samples)[0], static_cast<float>(index));
            return true;
        });
        return index;
    }
};

TEST(Player, DeliversTheFirstFrameThenWaits) {
    Collector collector;
    EXPECT_EQ(collector.next(), 0);
    EXPECT_FALSE(collector.player.state().playing);
    EXPECT_EQ(collector.player.framesRead(), 1U);
}

TEST(Player, StepsAndSeeksWhileFrozen) {
    Collector collector;
    EXPECT_EQ(collector.next(), 0);
    collector.player.step(1);
    EXPECT_EQ(collector.next(), 1);
    collector.player.step(-2);
    EXPECT_EQ(collector.next(), 4); // wraps while looping
    collector.player.setLoop(false);
    collector.player.step(3);
    EXPECT_EQ(collector.next(), 4);
    collector.player.seek(-7);
    EXPECT_EQ(collector.next(), 0);
}

TEST(Player, WhatIsSoughtComesBehindItsPast) {
    Collector collector;
    const auto delivered = [&](std::int64_t count) {
        std::vector<std::pair<std::int64_t, bool>> frames;
        waitUntil([&] {
            if (const RawRef frame = collector.ring.tryTake()) {
                frames.emplace_back(frame->index, frame->isPast);
                EXPECT_FALSE(frame->isAgain);
            }
            return std::ssize(frames) == count;
        });
        return frames;
    };
    using testing::ElementsAre;
    using testing::Pair;
    Player& player = collector.player;
    EXPECT_THAT(delivered(1), ElementsAre(Pair(0, false)));
    player.setPast(2);
    collector.recording.failAt = 2;
    player.seek(3);
    EXPECT_THAT(delivered(2), ElementsAre(Pair(1, true), Pair(3, false)));
    EXPECT_EQ(collector.failure, "") << "frame 3 itself can be read";
    EXPECT_EQ(player.state().position, 3);
    EXPECT_EQ(player.framesRead(), 2U) << "the past does not count";
    collector.recording.failAt = -1;
    player.step(1);
    EXPECT_THAT(delivered(1), ElementsAre(Pair(4, false))) << "its past has just been delivered";
    player.step(-1);
    EXPECT_THAT(delivered(3), ElementsAre(Pair(1, true), Pair(2, true), Pair(3, false)));
    player.seek(1);
    EXPECT_THAT(delivered(2), ElementsAre(Pair(0, true), Pair(1, false)));
}

TEST(Player, RefillingDeliversTheShownFrameAgain) {
    Collector collector;
    EXPECT_EQ(collector.next(), 0);
    collector.player.refill();
    collector.player.setPast(1);
    collector.player.seek(2);
    EXPECT_EQ(collector.next(), 1);
    EXPECT_EQ(collector.next(), 2);
    collector.player.refill();
    EXPECT_EQ(collector.next(), 1);
    RawRef again;
    waitUntil([&] { return static_cast<bool>(again = collector.ring.tryTake()); });
    EXPECT_EQ(again->index, 2);
    EXPECT_TRUE(again->isAgain);
    EXPECT_EQ(collector.player.framesRead(), 2U);
    EXPECT_TRUE(collector.ring.empty());
}

TEST(Player, AsFastAsPossibleLoops) {
    Collector collector;
    collector.next();
    collector.player.setSpeed(0.0);
    collector.player.play();
    for (const std::int64_t expected : {1, 2, 3, 4, 0, 1}) EXPECT_EQ(collector.next(), expected);
}

/// Sixteen frames that are no images, with parts or without, and kept or not.
class PartedRecording final : public Recording {
public:
    explicit PartedRecording(bool parted) : m_parted(parted) {
        m_info.path = "parted.h5";
        m_info.frame = test::imageSpec(6, 5);
        m_info.frameCount = 16;
        m_info.frameRateHz = 30.0;
    }
    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        ++reads;
        check(index);
        fill(index, 0, out);
    }
    std::vector<FramePart> partsOf(std::int64_t index) const override {
        std::vector<FramePart> parts;
        const std::size_t third = m_info.frame.bytes() / 3;
        for (std::size_t i = 0; m_parted && i < 3; ++i) {
            parts.push_back({i * third, third, [this, index, i, third](std::span<std::byte> out) {
                                 check(index);
                                 fill(index, i * third, out);
                             }});
        }
        return parts;
    }
    static std::byte valueAt(std::int64_t index, std::size_t at) {
        return static_cast<std::byte>(13 * static_cast<std::size_t>(index) + at);
    }
    std::atomic<std::int64_t> failAt{-1};
    int reads = 0;

private:
    void check(std::int64_t index) const {
        if (index == failAt) throw Error("parted.h5: frame 6 is damaged; choose another.");
    }
    static void fill(std::int64_t index, std::size_t from, std::span<std::byte> out) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = valueAt(index, from + i);
    }
    bool m_parted;
};

struct Runs {
    PartedRecording recording;
    Ring ring{4, 2};
    std::mutex mutex;
    std::string failure;
    Player player;

    Runs(bool parted, std::size_t kept)
        : recording(parted), player(recording, ring, MemoryKind::Host, kept,
                                    {[] {},
                                     [this](const std::string& text) {
                                         const std::lock_guard lock(mutex);
                                         failure = text;
                                     }}) {}

    /// First frame and number of frames of what comes next, whose bytes are those of the frames.
    std::pair<std::int64_t, std::int64_t> next() {
        RawRef run;
        EXPECT_TRUE(waitUntil([&] { return static_cast<bool>(run = ring.tryTake()); }));
        if (!run) return {-1, -1};
        const std::pair seen{run->index, run->count};
        for (std::int64_t f = 0; f < run->count; ++f) {
            for (std::size_t i = 0; i < run->frameBytes; ++i)
                EXPECT_EQ(run->frame(f)[i], PartedRecording::valueAt(run->index + f, i));
        }
        return seen;
    }
};

TEST(Player, AsFastAsPossibleFramesTravelInRuns) {
    for (const bool parted : {false, true}) {
        for (const std::size_t kept : {std::size_t{0}, std::size_t{1} << 20}) {
            SCOPED_TRACE(fmt::format("parted {}, kept {}", parted, kept));
            Runs runs(parted, kept);
            using Seen = std::pair<std::int64_t, std::int64_t>;
            EXPECT_EQ(runs.next(), Seen(0, 1));
            runs.player.setRun(4);
            runs.player.setSpeed(0.0);
            runs.player.play();
            for (const Seen& seen : {Seen(1, 1), {2, 1}, {3, 1}, {4, 4}, {8, 4}, {12, 4}, {0, 4}})
                EXPECT_EQ(runs.next(), seen);
            runs.player.stop();
            const std::size_t all = 16 * runs.recording.info().frame.bytes();
            EXPECT_EQ(runs.player.keptBytes(), kept > 0 ? all : 0);
            EXPECT_EQ(kept > 0 ? runs.recording.reads : 0, kept > 0 && !parted ? 16 : 0);
        }
    }
}

TEST(Player, ARunReadsOnlyThoseOfItsFramesThatAreNotKeptYet) {
    Runs runs(false, std::size_t{1} << 20);
    runs.next();
    for (const std::int64_t frame : {6, 3}) {
        runs.player.seek(frame);
        EXPECT_EQ(runs.next(), std::pair(frame, std::int64_t{1}));
    }
    runs.player.setRun(4);
    runs.player.setSpeed(0.0);
    runs.player.setLoop(false);
    runs.player.setRange(0, 7);
    runs.player.play();
    EXPECT_EQ(runs.next(), std::pair(std::int64_t{4}, std::int64_t{4}));
    runs.player.stop();
    EXPECT_EQ(runs.recording.reads, 6) << "0, 6, 3, then 4, 5 and 7; a kept frame may be in use";
}

TEST(Player, OfARunThatCannotBeReadTheFramesBeforeTheDamageCome) {
    for (const bool parted : {false, true}) {
        Runs runs(parted, std::size_t{1} << 20);
        runs.next();
        runs.recording.failAt = 6;
        runs.player.setRun(4);
        runs.player.setSpeed(0.0);
        runs.player.play();
        for (std::int64_t frame = 1; frame < 6; ++frame)
            EXPECT_EQ(runs.next(), std::pair(frame, std::int64_t{1}));
        EXPECT_TRUE(waitUntil([&] { return !runs.player.state().playing; }));
        EXPECT_TRUE(waitUntil([&] {
            const std::lock_guard lock(runs.mutex);
            return !runs.failure.empty();
        }));
        EXPECT_TRUE(waitUntil([&] { return runs.player.state().position == 6; }));
        runs.player.seek(7);
        EXPECT_EQ(runs.next().first, 7);
    }
}

TEST(Player, SaysWhetherItPlaysSlowerThanRecorded) {
    Collector collector; // 30 frames/s
    collector.next();
    collector.player.play();
    std::atomic<bool> stop{false};
    std::thread taker([&] {
        while (!stop) {
            collector.ring.tryTake();
            std::this_thread::sleep_for(std::chrono::milliseconds(100)); // 10 frames/s at most
        }
    });
    const auto isSlow = [&] { return collector.player.state().slow; };
    EXPECT_TRUE(waitUntil(isSlow));
    collector.player.seek(2);
    EXPECT_TRUE(isSlow()) << "elsewhere in the recording it is no faster";
    collector.player.setSpeed(0.25);
    EXPECT_FALSE(isSlow()) << "so slowly it can";
    collector.player.setSpeed(1.0);
    EXPECT_TRUE(waitUntil(isSlow));
    collector.player.freeze();
    EXPECT_FALSE(isSlow());
    collector.player.play();
    EXPECT_FALSE(isSlow()) << "as far as is known";
    collector.player.stop();
    stop = true;
    taker.join();
}

TEST(Player, WithoutLoopItStopsAtTheEndAndPlaysAgainFromTheStart) {
    Collector collector;
    collector.next();
    collector.player.setLoop(false);
    collector.player.setSpeed(0.0);
    collector.player.play();
    for (const std::int64_t expected : {1, 2, 3, 4}) EXPECT_EQ(collector.next(), expected);
    EXPECT_TRUE(waitUntil([&] { return !collector.player.state().playing; }));
    collector.player.play();
    EXPECT_EQ(collector.next(), 0);
}

TEST(Player, AReadErrorFreezesAndIsReported) {
    Collector collector;
    collector.next();
    collector.recording.failAt = 2;
    collector.player.setSpeed(0.0);
    collector.player.play();
    EXPECT_EQ(collector.next(), 1);
    EXPECT_TRUE(waitUntil([&] { return !collector.player.state().playing; }));
    EXPECT_TRUE(waitUntil([&] { return !collector.failure.empty(); }));
    collector.recording.failAt = -1;
    collector.player.seek(3);
    EXPECT_EQ(collector.next(), 3);
}

TEST(Player, ASweepChangesNeitherPositionNorCounters) {
    Collector collector;
    EXPECT_EQ(collector.next(), 0);
    const std::uint64_t sweep = collector.player.sweep({3, 1, 4});
    EXPECT_NE(sweep, 0U);
    for (const std::int64_t expected : {3, 1, 4}) EXPECT_EQ(collector.next(sweep), expected);
    EXPECT_EQ(collector.player.framesRead(), 1U);
    EXPECT_EQ(collector.player.bytesRead(), collector.recording.info().frame.bytes());
    EXPECT_EQ(collector.player.state().position, 0);
    EXPECT_EQ(collector.player.sweepNumber(), sweep);
    collector.player.step(1);
    EXPECT_NE(collector.player.sweepNumber(), sweep) << "it is over";
    EXPECT_EQ(collector.next(), 1);
    collector.player.play();
    EXPECT_EQ(collector.player.sweep({3}), 0U) << "refused while playing";
}

TEST(Player, AReadErrorEndsASweepAndLeavesPlaybackAlone) {
    Collector collector;
    EXPECT_EQ(collector.next(), 0);
    collector.recording.failAt = 2;
    const std::uint64_t sweep = collector.player.sweep({1, 2, 3});
    EXPECT_EQ(collector.next(sweep), 1);
    EXPECT_TRUE(waitUntil([&] { return collector.player.sweepNumber() != sweep; }));
    collector.player.step(3);
    EXPECT_EQ(collector.next(), 3);
    collector.player.stop();
    EXPECT_NE(collector.failure, "");
}

TEST(Player, RestsOncePerThingShown) {
    FakeRecording recording(5, 30.0);
    Ring ring{4, 2};
    std::atomic<int> rests{0};
    Player player{
        recording, ring, MemoryKind::Host, 0, {[] {}, [](const auto&) {}, {}, [&] { ++rests; }}};
    EXPECT_TRUE(waitUntil([&] { return rests == 1; }));
    ring.tryTake();
    player.sweep({1, 2});
    EXPECT_TRUE(waitUntil([&] { return static_cast<bool>(ring.tryTake()); }));
    player.seek(2);
    EXPECT_TRUE(waitUntil([&] { return rests == 2; })) << "and not for the sweep";
}

TEST(Player, WarnsOnceOfSamplesThatAreNoNumbers) {
    Collector collector;
    EXPECT_EQ(collector.next(), 0);
    collector.recording.nanFrom = 2; // the source thread waits
    collector.player.setSpeed(0.0);
    collector.player.play();
    for (const std::int64_t expected : {1, 2, 3, 4, 0, 1, 2}) EXPECT_EQ(collector.next(), expected);
    collector.player.stop();
    ASSERT_EQ(collector.warnings.size(), 1U);
    EXPECT_EQ(collector.warnings[0],
              "fake.h5: 1 of 30 values of frame 3 are not finite numbers; pixels "
              "that they reach stay empty.");
}

} // namespace
} // namespace echolux
