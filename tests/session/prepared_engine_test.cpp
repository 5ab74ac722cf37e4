// SPDX-License-Identifier: GPL-3.0-or-later
// Opening up to the first image: refusals, giving up, and what reaches the session before and after
// adoption.
#include "app/session/session.hpp"
#include "gpu/core/error.hpp"
#include "tests/session/fake_recording.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace echolux {
namespace {

using test::waitUntil;

const OpenRequest kPreparedCine{ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5"};

struct PreparedLive {
    std::atomic<int> images{0};
    std::atomic<int> failures{0};
    Session session{
        chooseBackend("cpu"),
        {[this](std::size_t) { ++images; }, [this](const std::string&) { ++failures; }, [] {}}};
};

TEST(PreparedEngine, WaitsWithItsFirstImage) {
    PreparedEngine prepared = prepareEngine(kPreparedCine, Backend::Cpu);
    ASSERT_NE(prepared.engine, nullptr);
    EXPECT_EQ(prepared.engine->statistics().framesProcessed, 1U);
    EXPECT_FALSE(prepared.engine->player().state().playing);
    const DisplayFrame* image = prepared.engine->mailbox().acquire();
    EXPECT_NE(image, nullptr);
    prepared.engine->mailbox().release(nullptr);
}

TEST(PreparedEngine, BringsTheSessionWhatDesksUse) {
    PreparedLive live;
    EXPECT_FALSE(live.session.isPlaying());
    EXPECT_EQ(live.session.live(), nullptr);
    EXPECT_FALSE(live.session.volumeProgress());
    live.session.giveUpStale(); // there is nothing to give up

    live.session.adopt(prepareEngine(kPreparedCine, Backend::Cpu));
    EXPECT_EQ(live.session.recording().frameCount, live.session.player().state().frameCount);
    EXPECT_EQ(live.session.live(), nullptr) << "a file";
    live.session.player().play();
    EXPECT_TRUE(live.session.isPlaying());
    live.session.player().freeze();
    const std::uint64_t edits = live.session.edits();
    live.session.applyPipeline(toConfig(*live.session.snapshot()));
    EXPECT_EQ(live.session.edits(), edits + 1);
    EXPECT_EQ(live.session.mailbox().chosenBscan(), 0);
    EXPECT_FALSE(live.session.volume().active());
    EXPECT_GE(live.session.statistics().framesProcessed, 1U);
}

TEST(PreparedEngine, IsGivenUpWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(prepareEngine(kPreparedCine, Backend::Cpu, stop.get_token()).engine, nullptr);
}

TEST(PreparedEngine, RefusesWhatCannotBeImaged) {
    EXPECT_THROW(prepareEngine(OpenRequest{"nowhere.h5"}, Backend::Cpu), Error);
    OpenRequest raw = kPreparedCine;
    raw.pipeline = PipelineConfig{"raw", {{"to_float", "to_float", false, {}}}};
    EXPECT_THROW(prepareEngine(raw, Backend::Cpu), Error);
}

TEST(PreparedEngine, ChoosesThePipelineByTheRawFrames) {
    OpenRequest request = kPreparedCine;
    int chosen = 0;
    request.choosePipeline = [&](const FrameSpec& raw) {
        ++chosen;
        EXPECT_NE(raw.acquisition, nullptr);
        PipelineConfig config = shippedPipeline(defaultPipelineName(raw));
        config.name = "chosen";
        return config;
    };
    EXPECT_EQ(prepareEngine(request, Backend::Cpu).engine->snapshot()->name, "chosen");
    EXPECT_EQ(chosen, 1);
    request.choosePipeline = [](const FrameSpec&) -> PipelineConfig { throw Error("No such."); };
    EXPECT_THROW(prepareEngine(request, Backend::Cpu), Error);
}

TEST(PreparedEngine, ADamagedFirstFrameIsARefusal) {
    auto relay = std::make_shared<CallbackRelay>();
    auto fake = std::make_unique<test::FakeRecording>(4, 50.0);
    fake->failAt = 0;
    const SnapshotPtr snapshot = instantiate(test::chainOf({"to_float"}), fake->info().frame);
    const Engine engine(std::move(fake), snapshot, Backend::Cpu, CallbackRelay::callbacksOf(relay));
    EXPECT_THROW(relay->waitForImage({}), Error);
}

TEST(Session, HearsOfWhatItAdopted) {
    PreparedLive live;
    EXPECT_FALSE(live.session.isOpen());
    EXPECT_EQ(live.session.adopt(prepareEngine(kPreparedCine, Backend::Cpu)).engine, nullptr);
    EXPECT_EQ(live.images, 1) << "the image that waited";
    live.session.engine().player().step(1);
    EXPECT_TRUE(waitUntil([&] { return live.images == 2; }));
}

TEST(Session, TheLatencyOfAPreparedImageCountsFromAdoption) {
    PreparedLive live;
    PreparedEngine prepared = prepareEngine(kPreparedCine, Backend::Cpu);
    // So old is the image when it is adopted. Nothing happens meanwhile.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const Clock::time_point adopted = Clock::now();
    live.session.adopt(std::move(prepared));
    Mailbox& mailbox = live.session.engine().mailbox();
    const DisplayFrame* image = mailbox.acquire();
    ASSERT_NE(image, nullptr);
    mailbox.release(nullptr);
    mailbox.presented(image->serial);
    const std::chrono::duration<double, std::milli> since = Clock::now() - adopted;
    EXPECT_LE(live.session.engine().statistics().latencyMedianMs, since.count());
}

TEST(Session, WhatItClosedIsSilent) {
    PreparedLive live;
    live.session.adopt(prepareEngine(kPreparedCine, Backend::Cpu));
    const PreparedEngine former = live.session.adopt(prepareEngine(kPreparedCine, Backend::Cpu));
    ASSERT_NE(former.engine, nullptr);
    const int before = live.images;
    former.engine->player().step(1);
    EXPECT_TRUE(waitUntil([&] { return former.engine->statistics().framesProcessed == 2; }));
    EXPECT_EQ(live.images, before);
    EXPECT_EQ(live.failures, 0);
}

} // namespace
} // namespace echolux
