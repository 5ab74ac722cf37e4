// SPDX-License-Identifier: GPL-3.0-or-later
// Ensembles live: windows of frames as they are delivered, imaged and counted, and edits of their
// length.
#include "app/session/checked_image.hpp"
#include "app/session/offline/offline.hpp"
#include "app/session/session.hpp"
#include "tests/session/fake_recording.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <optional>

namespace echolux {
namespace {

using test::FakeRecording;
using test::waitUntil;
using testing::HasSubstr;
using testing_support::refusal;

PipelineConfig chain(const std::vector<std::string>& types, std::int64_t frames) {
    PipelineConfig config = test::chainOf(types);
    config.recording.ensemble = frames;
    return config;
}

/// What a player delivers of windows of three of eleven frames: the last two are in none.
struct Windows {
    FakeRecording recording{11, 30.0};
    Ring ring{4, 2};
    Player player;

    explicit Windows(std::size_t kept = std::size_t{1} << 20)
        : player(recording, ring, MemoryKind::Host, kept, {[] {}, [](const std::string&) {}}, 3) {}

    /// The first frame of the next one.
    std::int64_t next(std::int64_t frames = 3) {
        std::int64_t first = -1;
        waitUntil([&] {
            const RawRef raw = ring.tryTake();
            if (!raw) return false;
            first = raw->index;
            EXPECT_EQ(raw->count, frames);
            EXPECT_EQ(raw->ensemble, frames);
            for (std::int64_t n = 0; n < frames; ++n)
                EXPECT_EQ(reinterpret_cast<const float*>(raw->frame(n))[0],
                          static_cast<float>(first + n));
            return true;
        });
        return first;
    }
};

TEST(EnsembleWindows, FollowOneAnotherAndLeaveOutTheRest) {
    const EnsembleWindows windows{3, 11};
    EXPECT_EQ(windows.count(), 3);
    EXPECT_EQ(windows.whole(), 9);
    EXPECT_EQ(windows.firstOf(0), 0);
    EXPECT_EQ(windows.firstOf(2), 0);
    EXPECT_EQ(windows.lastOf(3), 5);
    EXPECT_EQ(windows.firstOf(10), 6);
    EXPECT_EQ(windows.firstOf(-4), 0);
    EXPECT_EQ((EnsembleWindows{1, 11}.firstOf(10)), 10);
}

TEST(EnsemblePlayer, StepsAndSeeksByWindows) {
    for (const std::size_t kept : {std::size_t{0}, std::size_t{1} << 20}) {
        Windows windows(kept);
        EXPECT_EQ(windows.next(), 0);
        EXPECT_EQ(windows.player.state().position, 2);
        EXPECT_EQ(windows.player.framesRead(), 3U);
        windows.player.step(1);
        EXPECT_EQ(windows.next(), 3);
        windows.player.step(-2);
        EXPECT_EQ(windows.next(), 6); // wraps over whole windows
        windows.player.step(1);
        EXPECT_EQ(windows.next(), 0);
        windows.player.seek(4);
        EXPECT_EQ(windows.next(), 3);
        EXPECT_EQ(windows.player.state().position, 5);
        windows.player.seek(10); // in no window
        EXPECT_EQ(windows.next(), 6);
        EXPECT_EQ(windows.player.state().position, 8);
        EXPECT_EQ(windows.player.framesRead(), 18U);
        EXPECT_EQ(windows.player.bytesRead(), 18U * windows.recording.info().frame.bytes());
    }
}

TEST(EnsemblePlayer, PlaysWindowsRound) {
    Windows windows;
    windows.next();
    windows.player.setSpeed(0.0);
    windows.player.play();
    for (const std::int64_t expected : {3, 6, 0, 3}) EXPECT_EQ(windows.next(), expected);
}

TEST(EnsemblePlayer, PlaysWindowsThatHoldAPart) {
    Windows windows;
    windows.next();
    windows.player.setSpeed(0.0);
    windows.player.setRange(4, 7);
    windows.player.play();
    for (const std::int64_t expected : {3, 6, 3, 6}) EXPECT_EQ(windows.next(), expected);
}

TEST(EnsemblePlayer, KeepsTheRecordingsPace) {
    Windows windows;
    windows.next();
    EXPECT_EQ(windows.player.state().frameRateHz, 30.0);
    windows.player.play();
    const auto begin = Clock::now();
    windows.next();
    windows.next();
    windows.next(); // two periods of three frames later
    EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(190));
}

TEST(EnsemblePlayer, AnotherLengthDeliversTheFramesOfThePositionAnew) {
    Windows windows;
    windows.next();
    windows.player.seek(7);
    EXPECT_EQ(windows.next(), 6);
    windows.player.setEnsemble(4);
    EXPECT_EQ(windows.next(4), 4); // 4 to 7 hold no frame 8, but the nearest whole window
    EXPECT_EQ(windows.player.state().position, 7);
    windows.player.setEnsemble(1);
    EXPECT_EQ(windows.next(1), 7);
}

/// A session's engine on the CPU.
struct LiveEnsemble {
    std::atomic<int> images{0};
    std::mutex mutex;
    std::string failure;
    FakeRecording* recording = nullptr;
    std::unique_ptr<Engine> engine;

    LiveEnsemble(std::int64_t frames, const PipelineConfig& config) {
        auto fake = std::make_unique<FakeRecording>(frames, 50.0);
        recording = fake.get();
        const SnapshotPtr snapshot = instantiate(config, fake->info().frame);
        engine = std::make_unique<Engine>(std::move(fake), snapshot, Backend::Cpu,
                                          Engine::Callbacks{[this](std::size_t) { ++images; },
                                                            [this](const std::string& text) {
                                                                const std::lock_guard lock(mutex);
                                                                failure = text;
                                                            },
                                                            [] {}});
    }
    std::string failed() {
        const std::lock_guard lock(mutex);
        return failure;
    }
    /// Corner pixel and number of the next image.
    std::pair<float, std::int64_t> shown() {
        const DisplayFrame* frame = nullptr;
        EXPECT_TRUE(waitUntil([&] { return (frame = engine->mailbox().acquire()) != nullptr; }));
        if (frame == nullptr) return {};
        const std::pair<float, std::int64_t> seen{frame->pixels[0], frame->frame};
        engine->mailbox().release(nullptr);
        engine->mailbox().presented(frame->serial);
        return seen;
    }
};
using Shown = std::pair<float, std::int64_t>;

TEST(EnsembleEngine, ShowsOneFrameOfEachAndNumbersItByItsLast) {
    LiveEnsemble live(11, chain({"to_float", "one_frame"}, 3));
    EXPECT_EQ(live.shown(), Shown(2.0F, 2));
    live.engine->player().step(1);
    EXPECT_EQ(live.shown(), Shown(5.0F, 5));
    live.engine->post(withValue(*live.engine->snapshot(), "one_frame", "frame", std::int64_t{1}));
    EXPECT_EQ(live.shown(), Shown(3.0F, 5));
    const Statistics now = live.engine->statistics();
    EXPECT_EQ(now.framesRead, 6U);
    EXPECT_EQ(now.framesProcessed, 9U); // the edit ran three of them again
    EXPECT_EQ(live.engine->copyShownRaw().frame, 5);
}

TEST(EnsembleEngine, AveragesThem) {
    LiveEnsemble live(9, chain({"to_float", "ensemble_mean"}, 4));
    EXPECT_EQ(live.shown(), Shown(1.5F, 3));
    live.engine->player().seek(8);
    EXPECT_EQ(live.shown(), Shown(5.5F, 7));
}

TEST(EnsembleEngine, EveryFrameOfWholeWindowsIsProcessedWithoutAllocation) {
    LiveEnsemble live(10, chain({"to_float", "ensemble_mean"}, 3));
    live.shown();
    live.engine->resetCounters();
    live.engine->player().setLoop(false);
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    ASSERT_TRUE(waitUntil([&] { return live.engine->statistics().framesProcessed == 9; }));
    ASSERT_TRUE(waitUntil([&] { return !live.engine->player().state().playing; }));
    const Statistics now = live.engine->statistics();
    EXPECT_EQ(now.framesRead, 9U);
    EXPECT_EQ(now.framesProcessed, 9U);
    EXPECT_EQ(now.allocations, 0U);
    EXPECT_EQ(live.images, 3);
    EXPECT_EQ(live.failed(), "");
}

TEST(EnsembleEngine, AnEditOfTheLengthReadsTheFramesAgain) {
    LiveEnsemble live(12, test::chainOf({"to_float"}));
    EXPECT_EQ(live.shown(), Shown(0.0F, 0));
    live.engine->player().seek(7);
    EXPECT_EQ(live.shown(), Shown(7.0F, 7));
    const FrameSpec raw = live.engine->info().frame;
    live.engine->post(instantiate(chain({"to_float", "ensemble_mean"}, 4), raw));
    EXPECT_EQ(live.shown(), Shown(5.5F, 7));
    live.engine->player().step(1);
    EXPECT_EQ(live.shown(), Shown(9.5F, 11));
    live.engine->post(instantiate(chain({"to_float", "one_frame"}, 5), raw));
    EXPECT_EQ(live.shown(), Shown(9.0F, 9));
    live.engine->post(instantiate(test::chainOf({"to_float"}), raw));
    EXPECT_EQ(live.shown(), Shown(9.0F, 9));
    EXPECT_EQ(live.failed(), "");
}

TEST(EnsembleEngine, AnEditOfTheLengthWhilePlayingLosesNothing) {
    LiveEnsemble live(12, test::chainOf({"to_float"}));
    live.shown();
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    const FrameSpec raw = live.engine->info().frame;
    for (const std::int64_t frames : {2, 5, 1, 12, 3, 1}) {
        const PipelineConfig config =
            frames == 1 ? test::chainOf({"to_float"}) : chain({"to_float", "one_frame"}, frames);
        live.engine->post(instantiate(config, raw));
        ASSERT_TRUE(waitUntil([&] {
            const auto [corner, number] = live.shown();
            EXPECT_EQ(corner, static_cast<float>(number));
            return live.engine->player().state().ensemble == frames;
        }));
        for (int i = 0; i < 5; ++i) {
            const auto [corner, number] = live.shown();
            EXPECT_EQ(corner, static_cast<float>(number));
        }
    }
    EXPECT_EQ(live.failed(), "");
}

TEST(EnsembleEngine, ARecordingShorterThanOneIsRefused) {
    const auto told = testing::AllOf(HasSubstr("fake.h5 has 4 frames"),
                                     HasSubstr("takes 5 at once"), testing::EndsWith("."));
    EXPECT_THAT(refusal([] { LiveEnsemble(4, chain({"to_float", "one_frame"}, 5)); }), told);
    LiveEnsemble live(4, chain({"to_float", "one_frame"}, 4));
    EXPECT_EQ(live.shown(), Shown(3.0F, 3));
    live.engine->post(instantiate(chain({"to_float", "one_frame"}, 5), live.engine->info().frame));
    ASSERT_TRUE(waitUntil([&] { return !live.failed().empty(); }));
    EXPECT_THAT(live.failed(), told);
    EXPECT_EQ(live.engine->snapshot()->ensemble(), 4); // what was in force stays
    EXPECT_EQ(live.shown(), Shown(3.0F, 3));
}

TEST(EnsembleEngine, ADamagedFrameCostsItsWindow) {
    LiveEnsemble live(9, chain({"to_float", "one_frame"}, 3));
    live.shown();
    live.recording->failAt = 4;
    live.engine->player().step(1);
    ASSERT_TRUE(waitUntil([&] { return !live.failed().empty(); }));
    EXPECT_THAT(live.failed(), HasSubstr("damaged"));
    live.engine->player().seek(6);
    EXPECT_EQ(live.shown(), Shown(8.0F, 8));
}

TEST(EnsembleViews, AnEnsembleIsNoImage) {
    const FrameSpec raw = FakeRecording(4, 10.0).info().frame;
    EXPECT_THAT(refusal([&] { imagingSnapshot(raw, chain({"to_float"}, 2)); }),
                testing::AllOf(HasSubstr("[frame 2][depth 6][lateral 5]"),
                               HasSubstr("add one_frame, ensemble_mean or flow.")));
    EXPECT_EQ(refusal([&] {
                  imagingSnapshot(raw, chain({"to_float", "one_frame"}, 2));
              }),
              "accepted");
}

TEST(EnsembleOffline, AFrameStandsForItsWindow) {
    FakeRecording recording(8, 10.0);
    const FrameSpec& raw = recording.info().frame;
    const SnapshotPtr mean = instantiate(chain({"to_float", "ensemble_mean"}, 3), raw);
    const auto corner = [&](std::int64_t frame) {
        const HostFrameData image = processFrame(recording, mean, Backend::Cpu, frame);
        return *reinterpret_cast<const float*>(image.bytes.data());
    };
    EXPECT_EQ(corner(0), 1.0F);
    EXPECT_EQ(corner(2), 1.0F);
    EXPECT_EQ(corner(5), 4.0F);
    EXPECT_EQ(refusal([&] { corner(6); }),
              "fake.h5 has frames 1 to 6 in whole ensembles of 3, but frame 7 was asked for.");
}

} // namespace
} // namespace echolux
