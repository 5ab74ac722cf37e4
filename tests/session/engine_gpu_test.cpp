// SPDX-License-Identifier: GPL-3.0-or-later
// The live engine on CUDA: several frames in flight give the right images, in order, without a copy
// to the host and without allocation.
#include "app/session/engine.hpp"
#include "gpu/memory/transfer.hpp"
#include "tests/session/fake_recording.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace echolux {
namespace {

using test::chainOf;
using test::FakeRecording;
using test::waitUntil;

struct LiveOnGpu {
    std::atomic<int> failures{0};
    std::unique_ptr<Engine> engine;
    Stream stream{Backend::Cuda, "test"};

    explicit LiveOnGpu(const std::vector<std::string>& chain) {
        auto fake = std::make_unique<FakeRecording>(4, 50.0);
        const SnapshotPtr snapshot = instantiate(chainOf(chain), fake->info().frame);
        engine = std::make_unique<Engine>(
            std::move(fake), snapshot, Backend::Cuda,
            Engine::Callbacks{[](std::size_t) {}, [this](const std::string&) { ++failures; },
                              [] {}});
    }
    /// As the GL thread does, but into host memory.
    std::vector<float> fetch() {
        const DisplayFrame* frame = nullptr;
        EXPECT_TRUE(waitUntil([&] { return (frame = engine->mailbox().acquire()) != nullptr; }));
        if (frame == nullptr) return {0.0F};
        std::vector<float> pixels(static_cast<std::size_t>(frame->spec->count()));
        const Exec exec{Backend::Cuda, stream.get()};
        device::wait(stream.get(), frame->ready);
        download(exec, pixels.data(), frame->pixels, pixels.size() * sizeof(float));
        engine->mailbox().release(stream.get());
        stream.synchronize();
        engine->mailbox().presented(frame->serial);
        return pixels;
    }
};

TEST(EngineGpu, StepsShowEachFrame) {
    ECHOLUX_NEED_GPU();
    LiveOnGpu live({"to_float", "median"});
    for (std::int64_t i = 0; i < 8; ++i) {
        EXPECT_FLOAT_EQ(live.fetch()[1], static_cast<float>(i % 4) + 1.0F) << i;
        live.engine->player().step(1);
    }
    EXPECT_EQ(live.failures, 0);
}

TEST(EngineGpu, EveryImageIsWholeWhilePlayingAsFastAsPossible) {
    ECHOLUX_NEED_GPU();
    LiveOnGpu live({"to_float"});
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    for (int i = 0; i < 200; ++i) {
        const std::vector<float> pixels = live.fetch();
        for (std::size_t p = 1; p < pixels.size(); ++p) {
            ASSERT_FLOAT_EQ(pixels[p], pixels[0] + 1.0F / static_cast<float>(p));
        }
    }
    EXPECT_EQ(live.failures, 0);
}

TEST(EngineGpu, SteadyStateCopiesNothingToTheHostAndAllocatesNothing) {
    ECHOLUX_NEED_GPU();
    LiveOnGpu live({"to_float", "median", "persistence", "log_compression"});
    live.fetch();
    live.engine->resetCounters();
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    EXPECT_TRUE(waitUntil([&] { return live.engine->statistics().framesProcessed > 500; }));
    live.engine->player().freeze();
    const Statistics end = live.engine->statistics();
    EXPECT_EQ(end.deviceToHostCopies, 0U);
    EXPECT_EQ(end.allocations, 0U);
    EXPECT_EQ(end.framesDropped, 0U);
    EXPECT_EQ(live.failures, 0);
}

TEST(EngineGpu, EditsWhileFrozenLeaveThePastAsItWas) {
    ECHOLUX_NEED_GPU();
    LiveOnGpu live({"to_float", "persistence"});
    for (std::int64_t i = 0; i < 2; ++i) {
        live.fetch();
        live.engine->player().step(1);
    }
    EXPECT_FLOAT_EQ(live.fetch()[0], 2.0F);
    for (const double amount : {0.5, 0.25, 0.75, 0.75, 0.0, 0.5}) { // past 1, frame 2
        live.engine->post(withValue(*live.engine->snapshot(), "persistence", "amount", amount));
        EXPECT_FLOAT_EQ(live.fetch()[0], static_cast<float>(2.0 - amount)) << amount;
    }
    EXPECT_EQ(live.failures, 0);
}

TEST(EngineGpu, TimesStagesSeparatelyAndTracesFrames) {
    ECHOLUX_NEED_GPU();
    LiveOnGpu live({"to_float", "median"});
    live.fetch();
    live.engine->traces().turn(true);
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    for (const bool separately : {true, false, true}) {
        live.engine->timeSeparately(separately);
        const std::uint64_t so = live.engine->statistics().framesProcessed;
        EXPECT_TRUE(waitUntil([&] {
            const Statistics now = live.engine->statistics();
            return now.isSeparate == separately && now.framesProcessed > so + 50;
        }));
    }
    live.engine->player().freeze();
    for (const FrameTrace& trace : live.engine->traces().latest()) {
        ASSERT_EQ(trace.steps.size(), trace.ids.size());
        const FrameTrace::Step& last = trace.steps.back();
        const std::chrono::duration<double, std::milli> end(last.startMs + last.ms);
        EXPECT_LE(trace.startedAt + end, trace.published + std::chrono::microseconds(1));
    }
    EXPECT_EQ(live.engine->traces().latest().size(), FrameTraces::kMost);
    EXPECT_EQ(live.engine->statistics().framesDropped, 0U);
    EXPECT_EQ(live.failures, 0);
}

TEST(EngineGpu, RunsOnTheGpuAndWithTheFramesInFlightThatItIsGiven) {
    ECHOLUX_NEED_GPU();
    const int last = static_cast<int>(device::probe().size()) - 1;
    for (const int inFlight : {1, 5}) {
        auto fake = std::make_unique<FakeRecording>(4, 50.0);
        const SnapshotPtr snapshot = instantiate(chainOf({"to_float"}), fake->info().frame);
        std::atomic<int> failures{0};
        Engine engine(
            std::move(fake), snapshot, EnginePlace(Backend::Cuda, last, inFlight),
            Engine::Callbacks{[](std::size_t) {}, [&](const std::string&) { ++failures; }, [] {}});
        engine.player().setSpeed(0.0);
        engine.player().play();
        EXPECT_TRUE(waitUntil([&] { return engine.statistics().framesProcessed > 100; }));
        EXPECT_EQ(failures, 0);
    }
    device::select(0);
}

TEST(EngineGpu, EditsWhilePlaying) {
    ECHOLUX_NEED_GPU();
    LiveOnGpu live({"to_float", "median"});
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    for (const std::int64_t window : {3, 5, 1, 7, 9}) {
        live.engine->post(withValue(*live.engine->snapshot(), "median", "window", window));
        live.engine->post(withBypass(*live.engine->snapshot(), "median", window == 5));
        live.fetch();
    }
    EXPECT_EQ(live.failures, 0);
}

} // namespace
} // namespace echolux
