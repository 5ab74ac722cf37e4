// SPDX-License-Identifier: GPL-3.0-or-later
// Shared memory: frames of a writer in C, its end and restart, and what it may be wrong about.
#include "app/live/shared_source.hpp"

#include "app/live/live_recording.hpp"
#include "tests/live/served_frames.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/wait_until.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <functional>
#include <thread>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace echolux {
namespace {

using test::firstSample;
using test::ServedFrames;
using test::uniqueName;
using test::waitUntil;
using testing::HasSubstr;
using testing_support::refusal;
using Outcome = LiveSource::Outcome;

/// tests/live/writer.c as a process.
class WriterProcess {
public:
    explicit WriterProcess(std::vector<std::string> words) {
        words.insert(words.begin(), ECHOLUX_LIVE_WRITER);
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        EXPECT_EQ(::posix_spawn(&m_pid, arguments[0], nullptr, nullptr, arguments.data(), environ),
                  0);
    }
    ~WriterProcess() { kill(); }
    void kill() {
        if (m_pid <= 0) return;
        ::kill(m_pid, SIGKILL);
        waitForEnd();
    }
    int waitForEnd() {
        int status = 0;
        ::waitpid(std::exchange(m_pid, -1), &status, 0);
        return status;
    }

private:
    pid_t m_pid = -1;
};

void forget(const std::string& name) { ::shm_unlink(("/echolux-" + name).c_str()); }

TEST(SharedSource, ShowsTheFramesOfAWriterInC) {
    const std::string name = uniqueName();
    WriterProcess writer({name, "0", "400", "0", "200"});
    LiveRecording live(std::make_unique<SharedSource>(name, "shared:" + name), {.seconds = 2.0});
    EXPECT_EQ(live.info().frame.sizeOf(AxisName::Channel), 4);
    EXPECT_EQ(live.info().frame.sizeOf(AxisName::Sample), 100);
    EXPECT_DOUBLE_EQ(live.info().frameRateHz, 500.0);
    const std::int64_t first = [&] {
        const FrameLoan frame = live.lend(0);
        return static_cast<std::int64_t>(firstSample(frame.samples()));
    }();
    // The writer blocks, so no frame is lost from the first one on.
    ASSERT_TRUE(waitUntil([&] { return live.kept().last >= 200; }));
    writer.kill();
    forget(name);
    for (std::int64_t n = live.kept().first; n <= live.kept().last; ++n) {
        const FrameLoan frame = live.lend(n);
        ASSERT_TRUE(frame);
        EXPECT_EQ(firstSample(frame.samples()), n + first);
        EXPECT_EQ(reinterpret_cast<const std::int16_t*>(frame.samples())[399], n + first + 399);
        EXPECT_EQ(live.stampOf(n)->number, n + first);
    }
    EXPECT_EQ(live.counters().lostAtSource, 0U);
}

TEST(SharedSource, AWriterThatWasKilledAndStartsAgainGoesOn) {
    const std::string name = uniqueName();
    auto writer =
        std::make_unique<WriterProcess>(std::vector<std::string>{name, "0", "400", "0", "500"});
    LiveRecording live(std::make_unique<SharedSource>(name, "shared:" + name), {});
    for (int i = 1; i <= 10; ++i) {
        const std::uint64_t before = live.counters().kept;
        ASSERT_TRUE(waitUntil([&] { return live.counters().kept > before + 5; }));
        writer->kill();
        writer = std::make_unique<WriterProcess>(
            std::vector<std::string>{name, "0", "400", std::to_string(1000 * i), "500"});
    }
    ASSERT_TRUE(waitUntil([&] {
        const FrameLoan newest = live.lend(live.kept().last);
        return newest && firstSample(newest.samples()) > 10000;
    }));
    EXPECT_EQ(live.counters().state, LiveState::Running);
    writer->kill();
    forget(name);
}

TEST(SharedSource, AWriterWithAnotherLayoutIsTold) {
    const std::string name = uniqueName();
    auto writer = std::make_unique<WriterProcess>(std::vector<std::string>{name, "0", "400"});
    LiveRecording live(std::make_unique<SharedSource>(name, "shared:" + name), {});
    writer->kill();
    writer = std::make_unique<WriterProcess>(std::vector<std::string>{name, "0", "800"});
    ASSERT_TRUE(waitUntil([&] { return live.counters().state == LiveState::Changed; }));
    EXPECT_THAT(live.counters().reason, HasSubstr("another layout"));
    const LiveRecording again(std::make_unique<SharedSource>(name, "shared:" + name), {});
    EXPECT_EQ(again.info().frame.sizeOf(AxisName::Sample), 200);
    writer->kill();
    forget(name);
}

TEST(SharedSource, AMemoryThatIsLaidOutAnewInPlaceGivesNoFrameOfTheFormerLayout) {
    for (const bool countsAnew : {true, false}) {
        ServedFrames served;
        ASSERT_TRUE(served.write(0));
        const auto source = served.reader();
        std::vector<std::byte> frame(source->info().frame.bytes());
        FrameStamp stamp;
        ASSERT_EQ(source->next(frame, stamp, {}), Outcome::Frame);
        const std::span<std::byte> memory = served.memory();
        served.layOutAnew(
            [&](const echolux_live_header& header) { // as another pitch does: the same sizes
                memory[header.description_at + header.description_bytes - 1] ^= std::byte{1};
            },
            countsAnew);
        for (std::int64_t n = 1; n <= 6; ++n) ASSERT_TRUE(served.write(n));
        EXPECT_EQ(source->next(frame, stamp, {}), Outcome::Changed);
        EXPECT_THAT(source->reason(), HasSubstr("another layout"));
    }
}

TEST(SharedSource, AMemoryThatIsLaidOutAnewAndAlikeGoesOn) {
    ServedFrames served;
    for (std::int64_t n = 0; n < 2; ++n) ASSERT_TRUE(served.write(n));
    const auto source = served.reader();
    std::vector<std::byte> frame(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(source->next(frame, stamp, {}), Outcome::Frame);
    served.layOutAnew([](echolux_live_header&) {}, true);
    // More than before: the number of frames alone does not tell that they are others.
    for (std::int64_t n = 6; n <= 9; ++n) ASSERT_TRUE(served.write(n));
    std::vector<std::int64_t> numbers;
    for (int i = 0; i < 6; ++i)
        if (source->next(frame, stamp, {}) == Outcome::Frame) numbers.push_back(stamp.number);
    EXPECT_EQ(numbers, (std::vector<std::int64_t>{6, 7, 8, 9}));
}

/// While it is laid out no frame is handed out.
TEST(SharedSource, WaitsWhileItsMemoryIsLaidOut) {
    ServedFrames served;
    ASSERT_TRUE(served.write(0));
    const auto source = served.reader();
    std::vector<std::byte> frame(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(source->next(frame, stamp, {}), Outcome::Frame);
    served.layOutAnew(
        [&](echolux_live_header& /*header*/) {
            served.countAnew();
            ASSERT_TRUE(served.write(1));
            EXPECT_EQ(source->next(frame, stamp, {}), Outcome::Nothing);
            EXPECT_EQ(source->next(frame, stamp, {}), Outcome::Nothing);
        },
        false);
    ASSERT_TRUE(served.write(2));
    for (const std::int64_t number : {1, 2}) {
        while (source->next(frame, stamp, {}) != Outcome::Frame) {
        }
        EXPECT_EQ(stamp.number, number);
    }
}

TEST(SharedSource, ACounterThatIsSetBackLosesNothingUncounted) {
    ServedFrames served;
    for (std::int64_t n = 0; n < 20; ++n) ASSERT_TRUE(served.write(n));
    const auto source = served.reader();
    std::vector<std::byte> frame(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(source->next(frame, stamp, {}), Outcome::Frame);
    ASSERT_EQ(stamp.number, 19);
    served.countAnew();
    for (std::int64_t n = 0; n < 3; ++n) ASSERT_TRUE(served.write(n));
    for (std::int64_t n = 0; n < 3; ++n) {
        ASSERT_EQ(source->next(frame, stamp, {}), Outcome::Frame);
        EXPECT_EQ(stamp.number, n);
        EXPECT_EQ(stamp.lostBefore, 0);
    }
    served.countAnew(); // and the reader is too slow: there are four slots
    for (std::int64_t n = 0; n < 2; ++n) ASSERT_TRUE(served.write(n));
    served.countAnew();
    for (std::int64_t n = 0; n < 10; ++n) ASSERT_TRUE(served.write(n));
    std::vector<std::int64_t> numbers;
    std::int64_t lost = 0;
    while (source->next(frame, stamp, {}) == Outcome::Frame) {
        numbers.push_back(stamp.number);
        lost += stamp.lostBefore;
    }
    // Frames 0 to 2 were read as those numbers before: the reader cannot know that they came again.
    EXPECT_EQ(numbers, (std::vector<std::int64_t>{6, 7, 8, 9}));
    EXPECT_EQ(lost, 3) << "3, 4 and 5";
}

TEST(SharedSource, LossesOfASourceThatCountsAnewAreInTheCounters) {
    ServedFrames served;
    for (std::int64_t n = 0; n < 20; ++n) ASSERT_TRUE(served.write(n));
    LiveRecording live(served.reader(), {});
    ASSERT_TRUE(waitUntil([&] { return live.counters().kept >= 1; }));
    served.layOutAnew(
        [&](echolux_live_header& /*header*/) {
            served.countAnew();
            for (std::int64_t n = 0; n < 11; ++n) ASSERT_TRUE(served.write(n));
        },
        false);
    ASSERT_TRUE(waitUntil([&] { return live.counters().kept >= 5; }));
    EXPECT_EQ(live.counters().kept, 5U) << "frame 19, and the last four of eleven";
    EXPECT_EQ(live.counters().lostAtSource, 7U);
}

TEST(SharedSource, WhatTheReaderIsTooSlowForIsALoss) {
    ServedFrames served;
    ASSERT_TRUE(served.write(0));
    const auto source = served.reader();
    EXPECT_EQ(source->info().frame.describe(), served.source.info().frame.describe());
    std::vector<std::byte> frame(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(source->next(frame, stamp, {}), Outcome::Frame);
    for (std::int64_t n = 1; n <= 10; ++n) ASSERT_TRUE(served.write(n));
    std::vector<std::int64_t> numbers;
    while (source->next(frame, stamp, {}) == Outcome::Frame) {
        EXPECT_EQ(firstSample(frame.data()), stamp.number);
        EXPECT_EQ(stamp.deviceNs, 5);
        numbers.push_back(stamp.number);
    }
    EXPECT_EQ(numbers, (std::vector<std::int64_t>{7, 8, 9, 10})) << "there are four slots";
}

TEST(SharedSource, AServerThatStartsAgainGoesOn) {
    ServedFrames served;
    ASSERT_TRUE(served.write(1));
    const auto source = served.reader();
    std::vector<std::byte> frame(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(source->next(frame, stamp, {}), Outcome::Frame);
    std::this_thread::sleep_for(
        std::chrono::milliseconds(1100)); // files may hold a time in seconds
    served.start(4, false);
    ASSERT_TRUE(served.write(2));
    ASSERT_EQ(source->next(frame, stamp, {}), Outcome::Nothing) << "it finds the new memory";
    ASSERT_EQ(source->next(frame, stamp, {}), Outcome::Frame) << source->reason();
    EXPECT_EQ(firstSample(frame.data()), 2);
}

TEST(SharedSource, AWriterThatBlocksWaitsForItsReaderAlone) {
    ServedFrames served(4, true);
    for (std::int64_t n = 0; n < 9; ++n) ASSERT_TRUE(served.write(n)) << "nobody reads";
    const auto source = served.reader();
    std::vector<std::byte> frame(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(source->next(frame, stamp, {}), Outcome::Frame);
    std::int64_t written = 9;
    while (served.write(written)) ++written;
    EXPECT_EQ(written, 9 + 4) << "as many as there are slots";
    for (std::int64_t n = 9; n < written; ++n) {
        ASSERT_EQ(source->next(frame, stamp, {}), Outcome::Frame);
        EXPECT_EQ(stamp.number, n);
    }
    EXPECT_TRUE(served.write(written));
}

TEST(SharedSource, RefusesWhatContradictsItself) {
    EXPECT_THAT(refusal([] { SharedSource("nobody-is-here", "shared:nobody", 0.05); }),
                HasSubstr("nobody made it within 0.05 s"));
    const std::string name = uniqueName();
    ServedFrames silent;
    EXPECT_THAT(refusal([&] { SharedSource(silent.name, "shared:", 0.05); }),
                HasSubstr("no frame came"));
    struct Lie {
        std::function<void(echolux_live_header&)> tell;
        const char* answer;
    };
    const std::uint64_t huge = ~std::uint64_t{0} - 100;
    const std::vector<Lie> lies{
        {[](auto& h) { h.magic[0] = 'X'; }, "does not begin with ECHOLIVE"},
        {[](auto& h) { h.version = 9; }, "version is 9"},
        {[&](auto& h) { h.total_bytes = huge; }, "says that it has"},
        {[&](auto& h) { h.description_at = huge; }, "description lies outside"},
        {[&](auto& h) { h.description_bytes = huge; }, "description lies outside"},
        {[](auto& h) { h.slot_count = 1; }, "fewer than two slots"},
        {[&](auto& h) { h.slot_count = huge; }, "slots lie outside"},
        {[&](auto& h) { h.slots_at = huge / 64 * 64; }, "slots lie outside"},
        {[](auto& h) { h.slot_bytes = 0; }, "does not fit into a slot"},
        {[](auto& h) { h.slot_bytes = 100; }, "does not fit into a slot"},
        {[&](auto& h) { h.frame_bytes = huge; }, "does not fit into a slot"},
        {[](auto& h) { h.frame_bytes = 0; }, "does not fit into a slot"},
        {[](auto& h) { h.frame_bytes = (h.slot_bytes = std::uint64_t{1} << 40) - 64; }, "4 GiB"},
        {[](auto& h) { h.frame_bytes = 8; }, "no frame came"},
        {[](auto& h) { h.description_bytes = 3; }, "does not fit a frame"}};
    for (const Lie& lie : lies) {
        ServedFrames served;
        ASSERT_TRUE(served.write(0));
        lie.tell(served.header());
        EXPECT_THAT(refusal([&] { SharedSource(served.name, "shared:x", 0.3); }),
                    HasSubstr(lie.answer));
    }
}

TEST(SharedSource, WhatAWriterChangesLaterIsSurvived) {
    ServedFrames served;
    ASSERT_TRUE(served.write(0));
    const auto source = served.reader();
    std::vector<std::byte> frame(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(source->next(frame, stamp, {}), Outcome::Frame);
    echolux_live_header& header = served.header();
    const echolux_live_header sound = header;
    header.slot_bytes = 1;
    header.slot_count = ~std::uint64_t{0};
    header.frame_bytes = std::uint64_t{1} << 60;
    header.slots_at = std::uint64_t{1} << 60;
    header.published += 1000; // frames that were never written
    EXPECT_EQ(source->next(frame, stamp, {}), Outcome::Nothing);
    std::memcpy(static_cast<void*>(&header), &sound, offsetof(echolux_live_header, published));
    for (std::int64_t n = 1; n < 4; ++n) ASSERT_TRUE(served.write(n));
    header.published = 1004;
    EXPECT_EQ(source->next(frame, stamp, {}), Outcome::Nothing) << "still none of them is there";
}

TEST(SharedSource, AFrameOfAWrongSizeIsMalformed) {
    ServedFrames served;
    ASSERT_TRUE(served.write(0));
    const auto source = served.reader();
    std::vector<std::byte> frame(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(source->next(frame, stamp, {}), Outcome::Frame);
    ASSERT_TRUE(served.write(1));
    echolux_live_slot_of(&served.header(), 1)->bytes = 7;
    EXPECT_EQ(source->next(frame, stamp, {}), Outcome::Malformed);
    EXPECT_THAT(source->reason(), HasSubstr("40 bytes"));
    ASSERT_TRUE(served.write(2));
    EXPECT_EQ(source->next(frame, stamp, {}), Outcome::Frame);
}

TEST(SharedSource, WaitsForItsWriterUntilItIsStopped) {
    const std::string name = uniqueName();
    std::stop_source stop;
    std::jthread writer([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        WriterProcess({name, "3", "400", "0", "1000000"}).waitForEnd();
    });
    EXPECT_EQ(SharedSource(name, "shared:", 0.01, stop.get_token()).info().frame.bytes(), 800U);
    writer.join();
    std::jthread stopper([&] { stop.request_stop(); });
    EXPECT_THAT(refusal([&] { SharedSource("nobody-is-here", "shared:", 0.01, stop.get_token()); }),
                HasSubstr("nobody made it"));
}

TEST(SharedSource, ATornFrameIsNeverShown) {
    ServedFrames served(2);
    ASSERT_TRUE(served.write(0));
    const auto source = served.reader();
    std::atomic<bool> stop{false};
    std::thread writer([&] {
        for (std::int64_t n = 1; !stop; ++n) served.write(n % 30000);
    });
    std::vector<std::byte> frame(source->info().frame.bytes());
    FrameStamp stamp;
    int seen = 0;
    while (seen < 2000) {
        if (source->next(frame, stamp, {}) != Outcome::Frame) continue;
        ++seen;
        const auto* samples = reinterpret_cast<const std::int16_t*>(frame.data());
        for (std::size_t i = 0; i < frame.size() / 2; ++i) ASSERT_EQ(samples[i], stamp.number);
    }
    stop = true;
    writer.join();
}

} // namespace
} // namespace echolux
