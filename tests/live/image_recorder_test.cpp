// SPDX-License-Identifier: GPL-3.0-or-later
// Images of views beside the raw frames of a live source: each names its raw frame.
#include "app/export/image_recorder.hpp"
#include "app/session/stream/parameter_trail.hpp"

#include "tests/live/fake_source.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/wait_until.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include <sys/resource.h>

namespace echolux {
namespace {

using test::chainOf;
using test::FakeSource;
using test::waitUntil;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::refusal;

FrameSpec pictures() {
    FrameSpec spec = test::imageSpec(6, 5);
    spec.recordedForm = RecordedForm::Picture;
    return spec;
}

/// By HDF5 alone, as another program reads them.
std::vector<std::int64_t> rawFramesOf(const std::filesystem::path& path) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t data = H5Dopen2(file, "raw_frame", H5P_DEFAULT);
    const hid_t space = H5Dget_space(data);
    std::vector<std::int64_t> all(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(data, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
    H5Sclose(space);
    H5Dclose(data);
    H5Fclose(file);
    return all;
}

std::vector<std::byte> frameOf(Recording& recording, std::int64_t number) {
    std::vector<std::byte> frame(recording.info().frame.bytes());
    recording.readFrame(number, frame);
    return frame;
}

/// An engine that plays a source. The pipeline changes no pixel, so an image is its raw frame.
struct Imaged {
    test::TemporaryFolder folder;
    FakeSource* source = new FakeSource(100.0, pictures());
    std::string failure; ///< of the engine
    std::unique_ptr<Engine> engine;
    std::int64_t made = 0;

    Imaged() {
        source->make({LiveSource::Outcome::Frame, 0});
        auto live = std::make_unique<LiveRecording>(
            std::unique_ptr<LiveSource>(source),
            LivePlace{.seconds = 100.0, .mostBytes = 512 * pictures().bytes()});
        engine = std::make_unique<Engine>(
            std::move(live), instantiate(chainOf({"to_float"}), pictures()), Backend::Cpu,
            Engine::Callbacks{[](std::size_t) {},
                              [this](const std::string& text) { failure = text; }, [] {}});
        engine->player().play();
        EXPECT_TRUE(waitUntil([&] { return engine->statistics().framesProcessed > 1; }));
    }
    LiveRecording& live() { return *engine->live(); }
    std::filesystem::path raw() const { return folder / "take.echolux.h5"; }
    std::filesystem::path file(int part = 1) const { return imagesBeside(raw(), "image", part); }
    RecorderSetup setup() const { return {.file = raw(), .program = "test"}; }
    std::unique_ptr<ImageRecorder> images(const Recorder& recorder) const {
        return std::make_unique<ImageRecorder>(*engine, Backend::Cpu, recorder,
                                               ImageRecorderSetup{setup()});
    }
    /// One frame after the other, each of them imaged.
    bool makesImages(const ImageRecorder& images, int count) {
        for (int i = 0; i < count; ++i) {
            const std::int64_t before = images.state().at(0).images;
            source->makeFrames(made + 1, made + 1);
            ++made;
            if (!waitUntil([&] { return images.state().at(0).images > before; })) return false;
        }
        return true;
    }
    bool makesFrames(const Recorder& recorder, std::int64_t count) {
        source->makeFrames(made + 1, made + count);
        made += count;
        return waitUntil([&] { return recorder.next() > made; });
    }
    /// Each image of the file is the raw frame whose number it has.
    void expectJoined(const std::filesystem::path& file) const {
        const auto frames = openRecording(raw());
        const auto images = openRecording(file);
        const std::vector<std::int64_t> numbers = rawFramesOf(file);
        ASSERT_EQ(std::ssize(numbers), images->info().frameCount);
        for (std::int64_t i = 0; i < images->info().frameCount; ++i)
            EXPECT_EQ(frameOf(*images, i), frameOf(*frames, numbers[static_cast<std::size_t>(i)]));
        EXPECT_EQ(std::ranges::adjacent_find(numbers, std::greater_equal<>{}), numbers.end());
    }
};

TEST(ImageRecorder, EachImageHasTheNumberOfItsRawFrame) {
    Imaged test;
    Recorder recorder(test.live(), test.setup());
    const auto images = test.images(recorder);
    ASSERT_TRUE(test.makesImages(*images, 12));
    recorder.finish();
    const RecordedImages recorded = images->finish().at(0);
    EXPECT_EQ(recorded.view, "image");
    EXPECT_EQ(recorded.images, 12);
    EXPECT_EQ(recorded.leftOut, 0U);
    EXPECT_THAT(recorded.files, ElementsAre(test.file()));
    EXPECT_THAT(rawFramesOf(test.file()), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    test.expectJoined(test.file());
    const auto info = openRecording(test.file())->info();
    EXPECT_EQ(info.frame.recordedForm, RecordedForm::Picture);
    EXPECT_EQ(info.frame.axes, pictures().axes);
    EXPECT_EQ(info.frameRateHz, 100.0);
    EXPECT_THAT(info.notes, testing::Contains(testing::Pair("view", "image")));
}

TEST(ImageRecorder, FramesWithoutAnImageAreAGap) {
    Imaged test;
    Recorder recorder(test.live(), test.setup());
    const auto images = test.images(recorder);
    ASSERT_TRUE(test.makesImages(*images, 3));
    test.engine->player().freeze();
    ASSERT_TRUE(test.makesFrames(recorder, 20));
    EXPECT_EQ(images->state().at(0).images, 3);
    test.engine->player().play(); // goes on with the newest frame
    ASSERT_TRUE(waitUntil([&] { return images->state().at(0).images == 4; }));
    ASSERT_TRUE(test.makesImages(*images, 2));
    recorder.finish();
    images->finish();
    EXPECT_THAT(rawFramesOf(test.file()), ElementsAre(0, 1, 2, 22, 23, 24));
    test.expectJoined(test.file());
}

/// However fast the frames come: none of the raw ones is missing, and each image is of its frame.
TEST(ImageRecorder, ABurstOfFramesKeepsTheirNumbers) {
    Imaged test;
    Recorder recorder(test.live(), test.setup());
    const auto images = test.images(recorder);
    ASSERT_TRUE(test.makesFrames(recorder, 300));
    recorder.stop();
    ASSERT_TRUE(waitUntil([&] { return images->isComplete(); }));
    const RecordedImages recorded = images->finish().at(0);
    EXPECT_EQ(recorder.state().frames, 300);
    EXPECT_EQ(recorder.state().missing, 0);
    EXPECT_EQ(recorded.images, std::ssize(rawFramesOf(test.file())));
    EXPECT_GT(recorded.images, 0);
    test.expectJoined(test.file());
}

TEST(ImageRecorder, AnImageThatIsMadeAgainIsNotRecordedAgain) {
    Imaged test;
    Recorder recorder(test.live(), test.setup());
    const auto images = test.images(recorder);
    ASSERT_TRUE(test.makesImages(*images, 3));
    test.engine->player().freeze();
    const std::uint64_t before = test.engine->statistics().framesProcessed;
    test.engine->player().seek(1);
    ASSERT_TRUE(waitUntil([&] { return test.engine->statistics().framesProcessed > before; }));
    test.engine->player().play();
    ASSERT_TRUE(test.makesImages(*images, 1));
    recorder.finish();
    images->finish();
    EXPECT_THAT(rawFramesOf(test.file()), ElementsAre(0, 1, 2, 3));
}

TEST(ImageRecorder, ImagesOfAnotherSizeHaveAnotherFile) {
    Imaged test;
    Recorder recorder(test.live(), test.setup());
    const auto images = test.images(recorder);
    ASSERT_TRUE(test.makesImages(*images, 2));
    test.engine->player().freeze(); // so that no frame is imaged before the edit
    test.engine->post(instantiate(chainOf({"to_float", "m_mode"}), pictures()));
    test.engine->player().play();
    ASSERT_TRUE(test.makesImages(*images, 2));
    recorder.finish();
    EXPECT_THAT(images->finish().at(0).files, ElementsAre(test.file(), test.file(2)));
    EXPECT_THAT(rawFramesOf(test.file()), ElementsAre(0, 1));
    EXPECT_THAT(rawFramesOf(test.file(2)), ElementsAre(2, 3));
    EXPECT_THAT(refusal([&] { openRecording(test.file(2)); }), HasSubstr("depth and slow_time"));
}

/// A program that is killed leaves what it had written.
TEST(ImageRecorder, WhatWasWrittenSurvivesTheEndOfTheProgram) {
    Imaged test;
    const auto copy = test.folder / "copy.echolux.h5";
    Recorder recorder(test.live(), test.setup());
    const auto images = test.images(recorder);
    ASSERT_TRUE(test.makesImages(*images, 8));
    std::filesystem::copy_file(test.file(), copy); // as a kill would leave it
    EXPECT_EQ(openRecording(copy)->info().frameCount, 8);
}

std::string eventsIn(const Imaged& test) {
    std::ifstream in(eventsOf(test.raw()));
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// The line of the events with the given beginning of its last two fields; empty: there is none.
std::string lineOf(const std::string& events, const std::string& nameAndValue) {
    std::istringstream in(events);
    std::string found;
    for (std::string line; std::getline(in, line);)
        if (line.find(nameAndValue) != std::string::npos) found = line;
    return found;
}

TEST(ParameterTrail, NamesTheFirstFrameThatAnEditChanged) {
    Imaged test;
    const auto config = chainOf({"to_float", "persistence"});
    SnapshotPtr pipeline = instantiate(config, pictures());
    test.engine->post(pipeline);
    Recorder recorder(test.live(), test.setup());
    const auto images = test.images(recorder);
    ParameterTrail trail(recorder);
    test.engine->addSink(trail);
    ASSERT_TRUE(test.makesImages(*images, 3));
    test.engine->player().freeze();
    ASSERT_TRUE(test.makesFrames(recorder, 4)); // frames 4 to 7 have no image
    for (const double amount : {0.25, 0.5}) {   // as a slider does
        pipeline = withValue(*pipeline, "persistence", "amount", amount);
        test.engine->post(pipeline);
    }
    test.engine->player().play(); // the newest frame, number 7, is imaged
    ASSERT_TRUE(waitUntil([&] { return images->state().at(0).images == 4; }));
    ASSERT_TRUE(test.makesImages(*images, 1));
    test.engine->post(withBypass(*pipeline, "persistence", true));
    ASSERT_TRUE(test.makesImages(*images, 1));
    test.engine->removeSink(trail);
    recorder.finish();
    images->finish();
    EXPECT_THAT(rawFramesOf(test.file()), ElementsAre(0, 1, 2, 6, 7, 8));
    const std::string events = eventsIn(test);
    EXPECT_THAT(events, HasSubstr(",pipeline,\"name\",\"test\"\n"));
    EXPECT_THAT(lineOf(events, "\"persistence.bypass\",\"false\""), testing::StartsWith("1,"));
    EXPECT_THAT(lineOf(events, "\"persistence.amount\",\"0.5\""), testing::StartsWith("7,"));
    EXPECT_THAT(events, testing::Not(HasSubstr("\"0.25\""))) << "no frame was imaged with it";
    EXPECT_THAT(lineOf(events, "\"persistence.bypass\",\"true\""), testing::StartsWith("9,"));
    EXPECT_THAT(lineOf(events, "\"complete\""), testing::StartsWith("9,"));
}

TEST(ImageRecorder, RefusesWhatCannotBeWritten) {
    Imaged test;
    Recorder recorder(test.live(), test.setup());
    const auto refused = [&](const ImageRecorderSetup& setup) {
        return refusal([&] { ImageRecorder(*test.engine, Backend::Cpu, recorder, setup); });
    };
    ImageRecorderSetup setup{test.setup(), {"doppler"}};
    EXPECT_THAT(refused(setup), HasSubstr("doppler"));
    setup.views.clear();
    setup.raw.file = test.folder / "nowhere/take.echolux.h5";
    EXPECT_THAT(refused(setup), HasSubstr("does not exist"));
    setup.raw = test.setup();
    std::ofstream(test.file()) << "precious";
    EXPECT_THAT(refused(setup), HasSubstr("exists"));
}

/// The images end with a sentence. The pipeline goes on, and what was written opens.
TEST(ImageRecorder, AFullDiskEndsTheImagesAndNothingElse) {
    Imaged test;
    Recorder recorder(test.live(), test.setup());
    const auto images = test.images(recorder);
    ASSERT_TRUE(test.makesImages(*images, 5));
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit full{std::filesystem::file_size(test.file()) + 100, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &full);
    const auto failed = [&] {
        test.source->makeFrames(test.made + 1, test.made + 1);
        ++test.made;
        return !images->state().at(0).failure.empty() || recorder.state().finished;
    };
    EXPECT_TRUE(waitUntil(failed));
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, ignored);
    const std::uint64_t processed = test.engine->statistics().framesProcessed;
    test.source->makeFrames(test.made + 1, test.made + 1);
    EXPECT_TRUE(waitUntil([&] { return test.engine->statistics().framesProcessed > processed; }));
    const RecorderState raw = recorder.finish();
    const RecordedImages recorded = images->finish().at(0);
    EXPECT_THAT(recorded.failure + raw.failure, HasSubstr("File too large"));
    EXPECT_EQ(openRecording(test.file())->info().frameCount, recorded.images);
    EXPECT_EQ(test.failure, "");
}

} // namespace
} // namespace echolux
