// SPDX-License-Identifier: GPL-3.0-or-later
// Ring policies, the mailbox, statistics.
#include "app/session/stream/frame_traces.hpp"
#include "app/session/stream/mailbox.hpp"
#include "app/session/stream/ring.hpp"
#include "app/session/stream/statistics.hpp"
#include "tests/session/fake_recording.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <deque>
#include <thread>

namespace echolux {
namespace {

using test::waitUntil;

/// That a producer waits can only be waited for: nobody tells of it.
constexpr std::chrono::milliseconds kNothingComes{5};

TEST(Ring, BlockingKeepsOrderAndLosesNothing) {
    Ring ring(3, 3);
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
        if (const RawRef frame = ring.tryTake()) {
            EXPECT_EQ(frame->index, expected++);
        } else {
            std::this_thread::yield();
        }
    }
    producer.join();
}

TEST(Ring, CloseWakesTheProducer) {
    Ring ring(2, 2);
    ring.publish(ring.beginFill());
    ring.publish(ring.beginFill());
    std::thread producer([&] { EXPECT_EQ(ring.beginFill(), nullptr); });
    ring.close();
    producer.join();
}

TEST(Ring, APacedProducerWaitsUntilItsFrameIsStartedAtOnce) {
    Ring ring(4, 2);
    std::atomic<int> begun{0};
    std::atomic<int> published{0};
    std::thread producer([&] {
        for (int i = 0; i < 4; ++i) {
            RawFrame* slot = ring.beginFill();
            if (slot == nullptr) return;
            ++begun;
            ring.waitForRoom();
            ring.publish(slot);
            ++published;
        }
    });
    const auto take = [&] {
        RawRef taken;
        EXPECT_TRUE(waitUntil([&] { return static_cast<bool>(taken = ring.tryTake()); }));
        return taken;
    };
    RawRef shown = take();
    RawRef processed = take();
    ASSERT_TRUE(waitUntil([&] { return begun >= 3; }));
    std::this_thread::sleep_for(kNothingComes);
    EXPECT_TRUE(ring.empty()) << "a third would grow old";
    EXPECT_EQ(published, 2);
    shown = {};
    shown = take();
    processed = {};
    take();
    ring.close();
    producer.join();
}

/// Publishes frame number `index`; false where there was no slot.
bool publish(Ring& ring, std::int64_t index) {
    RawFrame* slot = ring.beginFill();
    if (slot == nullptr) return false;
    slot->index = index;
    ring.publish(slot);
    return true;
}

TEST(Ring, ASlotIsFilledAgainOnceTheLastHandleHasGone) {
    Ring ring(2, 2);
    ASSERT_TRUE(publish(ring, 1));
    ASSERT_TRUE(publish(ring, 2));
    RawRef taken = ring.tryTake();
    RawRef copy = taken;
    RawRef other = taken.forOther();
    std::atomic<bool> begun{false};
    std::atomic<int> published{0};
    std::thread producer([&] {
        begun = true;
        if (publish(ring, 3)) ++published;
    });
    taken = {};
    copy = {};
    ASSERT_TRUE(waitUntil([&] { return begun.load(); }));
    std::this_thread::sleep_for(kNothingComes);
    EXPECT_EQ(published, 0) << "somebody still reads the only slot that was taken";
    EXPECT_EQ(other->index, 1);
    std::thread([mine = std::move(other)] { EXPECT_EQ(mine->index, 1); }).join();
    producer.join();
    EXPECT_EQ(published, 1);
    EXPECT_EQ(ring.tryTake()->index, 2);
    EXPECT_EQ(ring.tryTake()->index, 3);
}

TEST(Ring, WhatOthersHoldDoesNotKeepAPacedProducerWaiting) {
    Ring ring(4, 1);
    ASSERT_TRUE(publish(ring, 0));
    const RawRef other = ring.tryTake().forOther(); // the consumer itself is done with it
    ring.waitForRoom();
    ASSERT_TRUE(publish(ring, 1));
    EXPECT_EQ(ring.tryTake()->index, 1);
    EXPECT_EQ(other->index, 0);
}

TEST(Ring, WhatIsHeldStaysWhenTheRingIsClosed) {
    Ring ring(2, 2);
    ASSERT_TRUE(publish(ring, 7));
    RawRef held = ring.tryTake();
    ring.close();
    EXPECT_FALSE(publish(ring, 8));
    EXPECT_EQ(held->index, 7);
    held = {};
}

/// Several threads hold what one takes, each for a while of its own.
TEST(Ring, NothingThatIsHeldIsOverwritten) {
    constexpr std::int64_t kFrames = 2000;
    constexpr std::size_t kReaders = 3;
    Ring ring(4, 4);
    std::thread producer([&] {
        for (std::int64_t i = 0; i < kFrames; ++i) publish(ring, i);
    });
    struct Reader {
        std::mutex mutex;
        std::deque<RawRef> waiting;
        std::vector<std::int64_t> seen;
    };
    std::array<Reader, kReaders> readers;
    std::vector<std::thread> threads;
    for (Reader& reader : readers) {
        threads.emplace_back([&] {
            while (reader.seen.size() < static_cast<std::size_t>(kFrames)) {
                RawRef frame;
                {
                    const std::lock_guard lock(reader.mutex);
                    if (!reader.waiting.empty()) {
                        frame = std::move(reader.waiting.front());
                        reader.waiting.pop_front();
                    }
                }
                if (!frame) {
                    std::this_thread::yield();
                    continue;
                }
                const RawRef copy = frame;
                frame = {};
                reader.seen.push_back(copy->index);
            }
        });
    }
    for (std::int64_t expected = 0; expected < kFrames;) {
        const RawRef taken = ring.tryTake();
        if (!taken) {
            std::this_thread::yield();
            continue;
        }
        ASSERT_EQ(taken->index, expected++);
        for (Reader& reader : readers) {
            const std::lock_guard lock(reader.mutex);
            reader.waiting.push_back(taken.forOther());
        }
    }
    producer.join();
    for (std::thread& thread : threads) thread.join();
    for (const Reader& reader : readers) {
        for (std::int64_t i = 0; i < kFrames; ++i)
            ASSERT_EQ(reader.seen[static_cast<std::size_t>(i)], i);
    }
}

TEST(Mailbox, NewestWinsAndIsFetchedOnce) {
    std::vector<std::uint64_t> shown;
    Mailbox mailbox(Backend::Cpu, 4,
                    [&](const ImageOrigin& origin) { shown.push_back(origin.serial); });
    const auto spec = std::make_shared<const FrameSpec>(test::imageSpec(2, 2));
    mailbox.resize({.pixels = spec->bytes()});
    EXPECT_EQ(mailbox.acquire(), nullptr);
    for (std::uint64_t serial = 1; serial <= 3; ++serial) {
        Image* image = mailbox.beginWrite();
        image->spec = spec;
        image->origin.frame = 9;
        image->origin.serial = serial;
        mailbox.publish(image);
    }
    const DisplayFrame* frame = mailbox.acquire();
    ASSERT_NE(frame, nullptr);
    EXPECT_EQ(frame->serial, 3U);
    EXPECT_EQ(frame->frame, 9);
    EXPECT_EQ(frame->bscan, 9);
    EXPECT_EQ(frame->spec, spec) << "no copy of it";
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
