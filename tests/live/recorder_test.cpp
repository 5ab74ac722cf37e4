// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings of live sources: from before the start, to the end, with gaps and marks.
#include "app/live/recorder.hpp"

#include "tests/live/fake_source.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/wait_until.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace echolux {
namespace {

using test::FakeSource;
using test::firstSample;
using test::waitUntil;
using testing::HasSubstr;
using testing_support::refusal;

struct RecordedFake {
    test::TemporaryFolder folder;
    FakeSource* source = new FakeSource;
    std::unique_ptr<LiveRecording> live;

    explicit RecordedFake(std::int64_t kept = 64) {
        source->make({LiveSource::Outcome::Frame, 0});
        const std::size_t frame = source->info().frame.bytes();
        live = std::make_unique<LiveRecording>(
            std::unique_ptr<LiveSource>(source),
            LivePlace{.seconds = 100.0, .mostBytes = frame * static_cast<std::size_t>(kept)});
    }
    std::filesystem::path file() const { return folder / "live.echolux.h5"; }
    RecorderSetup setup() const { return {.file = file(), .program = "test"}; }
    bool has(std::int64_t frame) {
        return waitUntil([&] { return live->kept().last >= frame; });
    }
    std::vector<std::int64_t> numbers() const {
        const auto recording = openRecording(file());
        std::vector<std::byte> frame(recording->info().frame.bytes());
        std::vector<std::int64_t> all;
        for (std::int64_t n = 0; n < recording->info().frameCount; ++n) {
            recording->readFrame(n, frame);
            all.push_back(firstSample(frame.data()));
        }
        return all;
    }
    std::string events() const {
        std::ifstream in(eventsOf(file()));
        std::ostringstream text;
        text << in.rdbuf();
        return text.str();
    }
};

std::vector<std::int64_t> from(std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> all;
    for (std::int64_t n = first; n <= last; ++n) all.push_back(n);
    return all;
}

TEST(Recorder, WritesWhatComesUntilItIsStopped) {
    RecordedFake fake;
    fake.source->makeFrames(1, 5);
    ASSERT_TRUE(fake.has(5));
    {
        Recorder recorder(*fake.live, fake.setup());
        fake.source->makeFrames(6, 20);
        ASSERT_TRUE(fake.has(20));
        recorder.mark("heart beats, \"fast\"");
        recorder.parameter("snr", "30");
        recorder.stop();
        fake.source->makeFrames(21, 25);
        ASSERT_TRUE(fake.has(25));
        ASSERT_TRUE(waitUntil([&] { return recorder.state().finished; }));
        const RecorderState state = recorder.state();
        EXPECT_EQ(state.frames, 15);
        EXPECT_EQ(state.missing, 0);
        EXPECT_EQ(state.bytes, 15 * fake.live->info().frame.bytes());
        EXPECT_EQ(state.failure, "");
        recorder.mark("too late");
    }
    EXPECT_EQ(fake.numbers(), from(6, 20));
    const auto recording = openRecording(fake.file());
    EXPECT_EQ(recording->info().frame.describe(), fake.live->info().frame.describe());
    EXPECT_DOUBLE_EQ(recording->info().frameRateHz, 100.0);
    EXPECT_THAT(fake.events(), HasSubstr(",mark,\"heart beats, \"\"fast\"\"\","));
    EXPECT_THAT(fake.events(), HasSubstr(",parameter,\"snr\",\"30\""));
    EXPECT_THAT(fake.events(), HasSubstr(",end,\"complete\","));
    EXPECT_THAT(fake.events(), testing::Not(HasSubstr("too late")));
}

TEST(Recorder, BeginsBeforeTheStart) {
    RecordedFake fake(16);
    fake.source->makeFrames(1, 40);
    ASSERT_TRUE(fake.has(40));
    RecorderSetup setup = fake.setup();
    setup.preTriggerS = 3600.0;
    setup.mostFrames = 20;
    Recorder recorder(*fake.live, setup);
    ASSERT_TRUE(waitUntil([&] { return recorder.state().frames >= 16; }));
    fake.source->makeFrames(41, 44);
    ASSERT_TRUE(waitUntil([&] { return recorder.state().finished; }));
    EXPECT_EQ(fake.numbers(), from(25, 44)) << "16 are kept, and 20 were asked for";
}

TEST(Recorder, EndsAfterItsTimeAndWithItsSource) {
    RecordedFake fake;
    RecorderSetup setup = fake.setup();
    setup.mostSeconds = 1e-9;
    {
        Recorder recorder(*fake.live, setup);
        fake.source->makeFrames(1, 1);
        ASSERT_TRUE(waitUntil([&] { return recorder.state().finished; }));
    }
    EXPECT_FALSE(std::filesystem::exists(fake.file())) << "nothing came in time";
    setup = fake.setup();
    Recorder recorder(*fake.live, setup);
    fake.source->makeFrames(2, 4);
    fake.source->make({LiveSource::Outcome::Ended, 0});
    ASSERT_TRUE(waitUntil([&] { return recorder.state().finished; }));
    EXPECT_EQ(fake.numbers(), from(2, 4));
}

TEST(Recorder, EndsAfterItsTimeWithoutFrames) {
    RecordedFake fake;
    RecorderSetup setup = fake.setup();
    setup.mostSeconds = 0.2;
    const Recorder recorder(*fake.live, setup); // and no frame comes
    EXPECT_TRUE(waitUntil([&] { return recorder.state().finished; }));
}

TEST(Recorder, AFileThatIsBeingRecordedIsNotReplaced) {
    RecordedFake fake;
    Recorder recorder(*fake.live, fake.setup());
    fake.source->makeFrames(1, 3);
    ASSERT_TRUE(waitUntil([&] { return recorder.state().frames == 3; }));
    RecorderSetup other = fake.setup();
    other.overwrite = true;
    EXPECT_THAT(refusal([&] { Recorder(*fake.live, other); }),
                HasSubstr("is writing this recording now"));
    fake.source->makeFrames(4, 5);
    ASSERT_TRUE(waitUntil([&] { return recorder.state().frames == 5; }));
    EXPECT_EQ(openRecording(fake.file())->info().frameCount, 5) << "readers are welcome";
    EXPECT_EQ(recorder.finish().failure, "");
    EXPECT_EQ(fake.numbers(), from(1, 5));
    EXPECT_THAT(fake.events(), HasSubstr(",end,\"complete\","));
    Recorder(*fake.live, other).finish(); // nobody writes it now
}

TEST(Recorder, AFileThatIsDeletedMeanwhileIsAFailure) {
    for (const bool framesFollow : {true, false}) {
        RecordedFake fake;
        Recorder recorder(*fake.live, fake.setup());
        fake.source->makeFrames(1, 3);
        ASSERT_TRUE(waitUntil([&] { return recorder.state().frames == 3; }));
        std::filesystem::remove(fake.file());
        if (framesFollow) {
            fake.source->makeFrames(4, 4);
            ASSERT_TRUE(waitUntil([&] { return recorder.state().finished; }));
        }
        EXPECT_THAT(recorder.finish().failure,
                    HasSubstr("was deleted or replaced while it was written, and its 3 frames "
                              "are lost"));
    }
}

TEST(Recorder, RefusesFilesThatCannotBeWritten) {
    RecordedFake fake;
    RecorderSetup setup = fake.setup();
    setup.file = fake.folder / "nowhere/live.echolux.h5";
    EXPECT_THAT(refusal([&] { Recorder(*fake.live, setup); }), HasSubstr("does not exist"));
    std::ofstream(fake.file()) << "precious";
    EXPECT_THAT(refusal([&] { Recorder(*fake.live, fake.setup()); }), HasSubstr("exists"));
    setup = fake.setup();
    setup.overwrite = true;
    setup.inUse = {fake.file()};
    EXPECT_THAT(refusal([&] { Recorder(*fake.live, setup); }), HasSubstr("is being read"));
    std::string left;
    std::ifstream(fake.file()) >> left;
    EXPECT_EQ(left, "precious");
    setup.file = fake.folder / "other.echolux.h5";
    std::filesystem::create_directory(eventsOf(setup.file));
    EXPECT_THAT(refusal([&] { Recorder(*fake.live, setup); }),
                HasSubstr("other.echolux.h5.events.csv' cannot be written"));
    EXPECT_FALSE(std::filesystem::exists(setup.file));
}

/// A program that is killed leaves what it had written.
TEST(Recorder, WhatWasWrittenSurvivesTheEndOfTheProgram) {
    RecordedFake fake;
    const auto recorder = std::make_unique<Recorder>(*fake.live, fake.setup());
    fake.source->makeFrames(1, 30);
    ASSERT_TRUE(waitUntil([&] { return recorder->state().frames == 30; }));
    const std::filesystem::path copy = fake.folder / "copy.echolux.h5";
    std::filesystem::copy_file(fake.file(), copy); // as a kill would leave it
    const auto recording = openRecording(copy);
    EXPECT_EQ(recording->info().frameCount, 30);
    std::vector<std::byte> frame(recording->info().frame.bytes());
    recording->readFrame(29, frame);
    EXPECT_EQ(firstSample(frame.data()), 30);
}

} // namespace
} // namespace echolux
