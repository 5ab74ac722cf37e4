// SPDX-License-Identifier: GPL-3.0-or-later
// The live engine on the CPU: images arrive, edits re-run the shown frame, nothing is lost or
// allocated.
#include "app/session/session.hpp"
#include "tests/session/fake_recording.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace echolux {
namespace {

using test::chainOf;
using test::FakeRecording;
using test::imageSpec;
using test::waitUntil;

struct LiveEngine {
    std::atomic<int> images{0};
    std::mutex mutex;
    std::string failure;
    FakeRecording* recording = nullptr;
    std::shared_ptr<Engine> engine;

    explicit LiveEngine(const std::vector<std::string>& chain) {
        auto fake = std::make_unique<FakeRecording>(4, 50.0);
        recording = fake.get();
        const SnapshotPtr snapshot = instantiate(chainOf(chain), fake->info().frame);
        engine = std::make_unique<Engine>(std::move(fake), snapshot, Backend::Cpu,
                                          Engine::Callbacks{[this](std::size_t) { ++images; },
                                                            [this](const std::string& text) {
                                                                const std::lock_guard lock(mutex);
                                                                failure = text;
                                                            },
                                                            [] {}});
    }
    /// Corner pixel of the next image, fetched as the GL thread would.
    float corner() {
        const DisplayFrame* frame = nullptr;
        EXPECT_TRUE(waitUntil([&] { return (frame = engine->mailbox().acquire()) != nullptr; }));
        const float value = frame != nullptr ? frame->pixels[0] : 0.0F;
        engine->mailbox().release(nullptr);
        if (frame != nullptr) engine->mailbox().presented(frame->serial);
        return value;
    }
};

/// The pipeline thread makes its next decisions; between two tasks it does what else there is.
void letDecide(Engine& engine) {
    for (int i = 0; i < 20; ++i) engine.copyShownRaw();
}

TEST(Engine, ShowsTheFirstFrameAndSteps) {
    LiveEngine live({"to_float"});
    EXPECT_FLOAT_EQ(live.corner(), 0.0F);
    live.engine->player().step(1);
    EXPECT_FLOAT_EQ(live.corner(), 1.0F);
    EXPECT_EQ(live.engine->statistics().framesShown, 2U);
}

TEST(Engine, ImagesAreDescribedByTheSnapshotItself) {
    LiveEngine live({"to_float"});
    live.corner();
    live.engine->player().step(1);
    const DisplayFrame* frame = nullptr;
    ASSERT_TRUE(waitUntil([&] { return (frame = live.engine->mailbox().acquire()) != nullptr; }));
    EXPECT_EQ(frame->spec.get(), &live.engine->snapshot()->output());
    EXPECT_EQ(frame->frame, 1);
    live.engine->mailbox().release(nullptr);
}

TEST(Engine, CopiesTheShownRawFrameFromHostMemory) {
    LiveEngine live({"to_float"});
    live.corner();
    live.engine->player().seek(2);
    EXPECT_FLOAT_EQ(live.corner(), 2.0F);
    const Engine::RawCopy copy = live.engine->copyShownRaw();
    EXPECT_EQ(copy.frame, 2);
    ASSERT_EQ(copy.bytes.size(), live.engine->info().frame.bytes());
    std::vector<std::byte> expected(copy.bytes.size());
    live.recording->readFrame(2, expected);
    EXPECT_EQ(copy.bytes, expected);
    EXPECT_EQ(live.engine->statistics().framesRead, 2U); // not read again
}

TEST(Engine, AnEditWhileFrozenRunsTheShownFrameAgain) {
    LiveEngine live({"to_float"});
    live.corner();
    live.engine->player().seek(3);
    EXPECT_FLOAT_EQ(live.corner(), 3.0F);
    live.engine->post(withValue(*live.engine->snapshot(), "to_float", "scale", 10.0));
    EXPECT_FLOAT_EQ(live.corner(), 30.0F);
    EXPECT_EQ(live.engine->statistics().framesRead, 2U); // not read again
}

TEST(Engine, EditsWhileFrozenLeaveThePastAsItWas) {
    LiveEngine live({"to_float", "persistence"});
    EXPECT_FLOAT_EQ(live.corner(), 0.0F);
    live.engine->player().step(1);
    EXPECT_FLOAT_EQ(live.corner(), 1.0F); // amount 0
    live.engine->player().step(1);
    EXPECT_FLOAT_EQ(live.corner(), 2.0F);
    for (const double amount : {0.5, 0.25, 0.75, 0.75, 0.0, 0.5}) { // past 1, frame 2
        live.engine->post(withValue(*live.engine->snapshot(), "persistence", "amount", amount));
        EXPECT_FLOAT_EQ(live.corner(), static_cast<float>(2.0 - amount)) << amount;
    }
    live.engine->player().step(1);
    EXPECT_FLOAT_EQ(live.corner(), 2.25F); // of 1.5, as shown last, and 3
}

TEST(Engine, EveryFrameOfARecordingIsProcessedWithoutAllocation) {
    LiveEngine live({"to_float", "median", "log_compression"});
    live.corner();
    live.engine->resetCounters();
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    EXPECT_TRUE(waitUntil([&] { return live.engine->statistics().framesProcessed > 300; }));
    live.engine->player().freeze();
    EXPECT_TRUE(waitUntil([&] {
        const Statistics now = live.engine->statistics();
        return now.framesRead == now.framesProcessed;
    }));
    const Statistics end = live.engine->statistics();
    EXPECT_EQ(end.framesDropped, 0U);
    EXPECT_EQ(end.allocations, 0U);
    EXPECT_EQ(end.deviceToHostCopies, 0U);
    ASSERT_EQ(end.stages.size(), 3U);
    EXPECT_GT(end.stages[1].ms.mean, 0.0);
}

TEST(Engine, TellsWhatEachStageTook) {
    LiveEngine live({"to_float", "median"});
    live.corner();
    for (int frame = 1; frame < 4; ++frame) {
        live.engine->player().step(1);
        live.corner();
    }
    const Statistics now = live.engine->statistics();
    ASSERT_EQ(now.stages.size(), 2U);
    EXPECT_EQ(now.stages[1].ids, std::vector<std::string>{"median"});
    for (const StageDuration& stage : now.stages) {
        EXPECT_GT(stage.ms.last, 0.0);
        EXPECT_GE(stage.ms.percentile99, stage.ms.last);
        EXPECT_LE(stage.ms.mean, stage.ms.percentile99);
        EXPECT_LT(stage.ms.mean, now.frame.percentile99);
    }
    EXPECT_GT(now.upload.mean, 0.0);
    EXPECT_FALSE(now.hasFusions);
    EXPECT_FALSE(now.isSeparate);
}

TEST(Engine, TracesFramesFromUploadToScreenWhileAskedTo) {
    LiveEngine live({"to_float", "median"});
    live.corner();
    EXPECT_TRUE(live.engine->traces().latest().empty());
    live.engine->traces().turn(true);
    for (int frame = 1; frame < 4; ++frame) {
        live.engine->player().step(1);
        live.corner();
    }
    const std::vector<FrameTrace> traces = live.engine->traces().latest();
    ASSERT_EQ(traces.size(), 3U);
    for (std::size_t i = 0; i < traces.size(); ++i) {
        const FrameTrace& trace = traces[i];
        EXPECT_EQ(trace.frame, static_cast<std::int64_t>(i) + 1);
        EXPECT_EQ(trace.count, 1);
        ASSERT_EQ(trace.steps.size(), 2U);
        EXPECT_EQ(trace.ids[0], std::vector<std::string>{"to_float"});
        EXPECT_GE(trace.steps[0].startMs, trace.uploadMs - 1e-9);
        const std::chrono::duration<double, std::milli> end(trace.steps[1].startMs +
                                                            trace.steps[1].ms);
        EXPECT_LE(trace.startedAt + std::chrono::duration_cast<Clock::duration>(end),
                  trace.published);
        ASSERT_TRUE(trace.shown);
        EXPECT_LE(trace.published, *trace.shown);
    }
    live.engine->traces().turn(false);
    live.engine->player().seek(0);
    live.corner();
    EXPECT_EQ(live.engine->traces().latest().size(), 3U) << "nobody looks any more";
}

TEST(Engine, TimingStagesSeparatelyLosesNoFrame) {
    LiveEngine live({"to_float", "median"});
    live.corner();
    live.engine->resetCounters();
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    for (int round = 0; round < 6; ++round) {
        const std::uint64_t so = live.engine->statistics().framesProcessed;
        live.engine->timeSeparately(round % 2 == 0);
        EXPECT_TRUE(waitUntil([&] {
            const Statistics now = live.engine->statistics();
            return now.isSeparate == (round % 2 == 0) && now.framesProcessed > so + 5;
        }));
    }
    live.engine->player().freeze();
    // Each change has run the shown frame once more.
    EXPECT_TRUE(waitUntil([&] {
        const Statistics now = live.engine->statistics();
        return now.framesProcessed >= now.framesRead;
    }));
    EXPECT_EQ(live.engine->statistics().framesDropped, 0U);
    EXPECT_EQ(live.failure, "");
}

TEST(Engine, EditsWhilePlayingArriveAndStructuralOnesResize) {
    LiveEngine live({"to_float", "median"});
    live.corner();
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    for (const std::int64_t window : {3, 5, 1, 7}) {
        live.engine->post(withValue(*live.engine->snapshot(), "median", "window", window));
        live.engine->post(withBypass(*live.engine->snapshot(), "median", window == 5));
        live.corner();
    }
    live.engine->player().freeze();
    const std::lock_guard lock(live.mutex);
    EXPECT_EQ(live.failure, "");
}

TEST(Engine, SuspendedItHoldsNoImagesAndResumedItShowsTheSameFrame) {
    LiveEngine live({"to_float", "median"});
    live.corner();
    live.engine->player().seek(3);
    EXPECT_FLOAT_EQ(live.corner(), 3.0F);
    const auto before = memoryCounters().bytesHostHeld;
    live.engine->suspend();
    const auto bytes = static_cast<std::size_t>(imageSpec(6, 5).bytes());
    // Of the runner raw and two outputs, of the mailbox three images.
    EXPECT_EQ(before - memoryCounters().bytesHostHeld, 6 * bytes);
    const std::uint64_t read = live.engine->player().framesRead();
    live.engine->player().seek(1);
    live.engine->post(withValue(*live.engine->snapshot(), "to_float", "scale", 10.0));
    ASSERT_TRUE(waitUntil([&] { return live.engine->player().framesRead() > read; }));
    letDecide(*live.engine);
    EXPECT_EQ(live.engine->mailbox().acquire(), nullptr);
    live.engine->resume();
    // Frame 1 may come before or after the shown one has been run again.
    EXPECT_TRUE(waitUntil([&] { return live.corner() == 10.0F; }));
    EXPECT_EQ(memoryCounters().bytesHostHeld, before);
    live.engine->suspend(); // ends well when suspended
}

/// Memory that suffices for one engine, as far as make() is concerned.
struct MakeBeside : testing::Test {
    LiveEngine open{{"to_float"}};
    Suspension suspended;
    std::unique_ptr<Engine> fresh;
    int attempts = 0;
    std::size_t held = memoryCounters().bytesHostHeld;

    MakeBeside() {
        open.corner();
        held = memoryCounters().bytesHostHeld;
    }
    void tryIt(const std::shared_ptr<Engine>& beside) {
        fresh = makeBeside(beside, suspended, [this] {
            ++attempts;
            if (memoryCounters().bytesHostHeld >= held) throw OutOfMemory("Too little memory.");
            auto recording = std::make_unique<FakeRecording>(4, 50.0);
            const SnapshotPtr snapshot =
                instantiate(chainOf({"to_float"}), recording->info().frame);
            return std::make_unique<Engine>(
                std::move(recording), snapshot, Backend::Cpu,
                Engine::Callbacks{[](std::size_t) {}, [](const std::string&) {}, [] {}});
        });
    }
};

TEST_F(MakeBeside, TheOpenEngineMakesRoomAndGoesOnWhereTheNewOneIsDropped) {
    tryIt(open.engine);
    EXPECT_NE(fresh, nullptr);
    EXPECT_EQ(attempts, 2);
    const std::uint64_t read = open.engine->player().framesRead();
    open.engine->player().step(1);
    ASSERT_TRUE(waitUntil([&] { return open.engine->player().framesRead() > read; }));
    letDecide(*open.engine);
    EXPECT_EQ(open.engine->mailbox().acquire(), nullptr);
    fresh.reset();
    suspended = Suspension();
    EXPECT_TRUE(waitUntil([&] { return open.corner() == 1.0F; }));
}

TEST_F(MakeBeside, WhatIsOpenGoesOnWhereTheNewOneDoesNotFit) {
    open.engine->player().seek(2);
    EXPECT_FLOAT_EQ(open.corner(), 2.0F);
    held = 0;
    EXPECT_THROW(tryIt(open.engine), OutOfMemory);
    EXPECT_EQ(attempts, 2);
    suspended = Suspension();
    EXPECT_FLOAT_EQ(open.corner(), 2.0F); // run again
    open.engine->player().step(1);
    EXPECT_FLOAT_EQ(open.corner(), 3.0F);
}

TEST_F(MakeBeside, WithNothingOpenTheRefusalStands) {
    EXPECT_THROW(tryIt(nullptr), OutOfMemory);
    EXPECT_EQ(attempts, 1);
}

TEST(Engine, AReadErrorIsToldAndPlaybackGoesOnAfterwards) {
    LiveEngine live({"to_float"});
    live.corner();
    live.recording->failAt = 2;
    live.engine->player().seek(2);
    EXPECT_TRUE(waitUntil([&] {
        const std::lock_guard lock(live.mutex);
        return !live.failure.empty();
    }));
    live.engine->player().seek(1);
    EXPECT_FLOAT_EQ(live.corner(), 1.0F);
}

} // namespace
} // namespace echolux
