// SPDX-License-Identifier: GPL-3.0-or-later
// Ring policies, the mailbox, statistics.
#include "app/session/stream/frame_traces.hpp"
#include "app/session/stream/mailbox.hpp"
#include "app/session/stream/ring.hpp"
#include "app/session/stream/statistics.hpp"
#include "tests/session/fake_recording.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace echolux {
namespace {

using test::waitUntil;

TEST(Ring, BlockingKeepsOrderAndLosesNothing) {
    Ring ring(RingPolicy::Block, 3, 3);
    constexpr std::int64_t kFrames = 200;
    std::thread producer([&] {
        for (std::int64_t i = 0; i < kFrames; ++i) {
            RawFrame* slot = ring.beginFill();
            slot->index = i;
            ring.publish(slot);
        }
    });
    std::int64_t expected = 0;
    while (expected < kFrames) {
        if (RawFrame* frame = ring.tryTake()) {
            EXPECT_EQ(frame->index, expected++);
            ring.giveBack(frame);
        } else {
            std::this_thread::yield();
        }
    }
    producer.join();
    EXPECT_EQ(ring.dropped(), 0U);
}

TEST(Ring, LiveSourcesDropTheOldestAndCountIt) {
    Ring ring(RingPolicy::DropOldest, 2, 2);
    for (std::int64_t i = 0; i < 5; ++i) {
        RawFrame* slot = ring.beginFill();
        slot->index = i;
        ring.publish(slot);
    }
    EXPECT_EQ(ring.dropped(), 3U);
    EXPECT_EQ(ring.tryTake()->index, 3);
    EXPECT_EQ(ring.tryTake()->index, 4);
    EXPECT_EQ(ring.tryTake(), nullptr);
}

TEST(Ring, CloseWakesTheProducer) {
    Ring ring(RingPolicy::Block, 2, 2);
    ring.publish(ring.beginFill());
    ring.publish(ring.beginFill());
    std::thread producer([&] { EXPECT_EQ(ring.beginFill(), nullptr); });
    ring.close();
    producer.join();
}

TEST(Ring, APacedProducerWaitsUntilItsFrameIsStartedAtOnce) {
    Ring ring(RingPolicy::Block, 4, 2);
    std::atomic<int> published{0};
    std::thread producer([&] {
        for (int i = 0; i < 4; ++i) {
            RawFrame* slot = ring.beginFill();
            if (slot == nullptr) return;
            ring.waitForRoom();
            ring.publish(slot);
            ++published;
        }
    });
    const auto take = [&] {
        RawFrame* taken = nullptr;
        EXPECT_TRUE(waitUntil([&] { return (taken = ring.tryTake()) != nullptr; }));
        return taken;
    };
    RawFrame* shown = take();
    RawFrame* processed = take();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_TRUE(ring.empty()) << "a third would grow old";
    EXPECT_EQ(published, 2);
    ring.giveBack(shown);
    shown = take();
    ring.giveBack(processed);
    take();
    ring.close();
    producer.join();
}

TEST(Mailbox, NewestWinsAndIsFetchedOnce) {
    std::vector<std::uint64_t> shown;
    Mailbox mailbox(Backend::Cpu, 4,
                    [&](const ImageOrigin& origin) { shown.push_back(origin.serial); });
    mailbox.resize(16);
    EXPECT_EQ(mailbox.acquire(), nullptr);
    for (std::uint64_t serial = 1; serial <= 3; ++serial) {
        Image* image = mailbox.beginWrite();
        image->origin.serial = serial;
        mailbox.publish(image);
    }
    const DisplayFrame* frame = mailbox.acquire();
    ASSERT_NE(frame, nullptr);
    EXPECT_EQ(frame->serial, 3U);
    mailbox.release(nullptr);
    mailbox.presented(3);
    EXPECT_EQ(shown, std::vector<std::uint64_t>{3});
    EXPECT_EQ(mailbox.acquire(), nullptr);
}

TEST(Statistics, LatencyPercentiles) {
    LatencyWindow window;
    EXPECT_EQ(window.percentile(0.5), 0.0);
    for (int ms = 1; ms <= 100; ++ms) window.add(ms);
    EXPECT_EQ(window.percentile(0.5), 50.0);
    EXPECT_EQ(window.percentile(0.99), 99.0);
}

TEST(Statistics, TimesOfStepsAreThoseOfTheLatestFrames) {
    StepWindow window;
    EXPECT_EQ(window.times().mean, 0.0);
    EXPECT_EQ(window.times().percentile99, 0.0);
    window.add(3.0);
    EXPECT_EQ(window.times().last, 3.0);
    EXPECT_EQ(window.times().mean, 3.0);
    EXPECT_EQ(window.times().percentile99, 3.0);
    // 1 to 1000: the last 128 are 873 to 1000.
    for (int ms = 1; ms <= 1000; ++ms) window.add(ms);
    EXPECT_EQ(window.times().last, 1000.0);
    EXPECT_DOUBLE_EQ(window.times().mean, (873.0 + 1000.0) / 2.0);
    EXPECT_EQ(window.times().percentile99, 999.0); // number ceil(0.99 * 128) = 127 of them
    window.clear();
    EXPECT_EQ(window.times().last, 0.0);
}

TEST(Statistics, PercentilesAreNearestRanks) {
    std::vector<double> values{5.0, 1.0, 4.0, 2.0, 3.0};
    EXPECT_EQ(percentileOf(values, 0.0), 1.0);
    EXPECT_EQ(percentileOf(values, 0.2), 1.0);
    EXPECT_EQ(percentileOf(values, 0.21), 2.0);
    EXPECT_EQ(percentileOf(values, 0.5), 3.0);
    EXPECT_EQ(percentileOf(values, 1.0), 5.0);
}

TEST(FrameTraces, KeepTheLatestAndTellWhenTheyWereShown) {
    FrameTraces traces;
    EXPECT_TRUE(traces.latest().empty());
    const Clock::time_point start = Clock::now();
    for (std::uint64_t serial = 1; serial <= 11; ++serial) {
        FrameTrace trace;
        trace.serial = serial;
        trace.published = start;
        traces.add(trace);
    }
    traces.presented(10, start + std::chrono::milliseconds(7));
    traces.presented(2, start); // has gone
    const std::vector<FrameTrace> latest = traces.latest();
    ASSERT_EQ(latest.size(), FrameTraces::kMost);
    for (std::size_t i = 0; i < latest.size(); ++i) {
        EXPECT_EQ(latest[i].serial, i + 4);
        EXPECT_EQ(latest[i].shown.has_value(), latest[i].serial == 10);
    }
    EXPECT_EQ(*latest[6].shown - start, std::chrono::milliseconds(7));
}

TEST(Statistics, RatesFollowTheLastSecond) {
    RateMeter meter;
    const auto start = Clock::now();
    for (int quarter = 0; quarter <= 8; ++quarter) {
        const double rate = meter.update(static_cast<std::uint64_t>(15 * quarter),
                                         start + quarter * std::chrono::milliseconds(250));
        EXPECT_NEAR(rate, quarter > 0 ? 60.0 : 0.0, 1e-6);
    }
    double rate = 0.0;
    for (int quarter = 9; quarter <= 14; ++quarter)
        rate = meter.update(120, start + quarter * std::chrono::milliseconds(250));
    EXPECT_EQ(rate, 0.0);
}

} // namespace
} // namespace echolux
