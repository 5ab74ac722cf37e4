// SPDX-License-Identifier: GPL-3.0-or-later
// What was appended survives: writers killed at random, files cut at many lengths, full disks.
#include "app/dataset/native/native_recording.hpp"

#include "app/dataset/container/hdf5_handle.hpp"
#include "gpu/core/error.hpp"
#include "tests/dataset/native_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <random>
#include <set>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace echolux {

namespace {

using test::TemporaryFolder;
using testing::AnyOf;
using testing::HasSubstr;

FrameStamp stampOfFrame(std::int64_t frame) {
    FrameStamp stamp{.number = frame, .deviceNs = 40'000'000 * frame};
    auto pose = std::make_shared<Pose>();
    pose->origin = {0.001 * static_cast<double>(frame), 0.0, 0.0};
    stamp.pose = std::move(pose);
    return stamp;
}

/// Each whole frame has its stamp.
void expectStamps(const Recording& recording) {
    const std::int64_t frames = recording.info().frameCount;
    const std::vector<FrameStamp> stamps = stampsOf(recording, 0, frames);
    ASSERT_EQ(std::ssize(stamps), frames);
    for (std::int64_t i = 0; i < frames; ++i) {
        const FrameStamp& stamp = stamps[static_cast<std::size_t>(i)];
        EXPECT_EQ(stamp.number, i);
        EXPECT_EQ(stamp.deviceNs, stampOfFrame(i).deviceNs);
        ASSERT_NE(stamp.pose, nullptr);
        EXPECT_EQ(*stamp.pose, *stampOfFrame(i).pose);
    }
}

/// A process that appends frames without end and sends one byte after each.
struct Writer {
    pid_t process = 0;
    int progress = -1;
};

Writer startWriter(const std::filesystem::path& path, const FrameSpec& spec) {
    int ends[2] = {};
    if (::pipe(ends) != 0) return {};
    const pid_t process = ::fork();
    if (process == 0) {
        try {
            NativeWriter writer(path, spec, 25.0, test::sampleProvenance(), {.stamped = true});
            const char done = 1;
            for (int i = 0;; ++i) {
                writer.append(test::sampleFrame(spec, i), stampOfFrame(i));
                if (::write(ends[1], &done, 1) != 1) break;
            }
        } catch (...) {
        }
        ::_exit(1);
    }
    ::close(ends[1]);
    return {process, ends[0]};
}

/// Kills it after `microseconds` more; returns how many frames it had reported.
std::int64_t killWriter(const Writer& writer, int framesFirst, int microseconds) {
    std::int64_t reported = 0;
    char byte = 0;
    while (reported < framesFirst && ::read(writer.progress, &byte, 1) == 1) ++reported;
    ::usleep(static_cast<useconds_t>(microseconds));
    ::kill(writer.process, SIGKILL);
    int status = 0;
    ::waitpid(writer.process, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself";
    while (::read(writer.progress, &byte, 1) == 1) ++reported;
    ::close(writer.progress);
    return reported;
}

TEST(NativeCrash, aKilledWriterLeavesEveryFrameItReported) {
    const test::Hdf5MayLeak damaged;
    const TemporaryFolder folder;
    std::mt19937 random(4711);
    int unfinished = 0;
    for (int round = 0; round < 30; ++round) {
        const auto path = folder / ("round" + std::to_string(round));
        // From a few hundred bytes to several chunks per frame.
        const FrameSpec spec = round % 3 == 0   ? test::sampleSpec(DType::I16, 1, 2, 40)
                               : round % 3 == 1 ? test::sampleSpec(DType::U16, 3, 16, 500)
                                                : test::sampleSpec(DType::F32, 4, 64, 2048);
        const Writer writer = startWriter(path, spec);
        ASSERT_GT(writer.process, 0);
        const int framesFirst = static_cast<int>(random() % 12);
        const std::int64_t reported =
            killWriter(writer, framesFirst, static_cast<int>(random() % 8000));
        if (reported == 0) {
            if (std::filesystem::exists(path)) {
                try {
                    test::expectFrames(*openNative(path));
                } catch (const Error& error) {
                    EXPECT_THAT(error.what(), HasSubstr("Cannot open"));
                }
            }
            continue;
        }
        SCOPED_TRACE("round " + std::to_string(round));
        ASSERT_TRUE(isNative(path));
        const auto recording = openNative(path);
        EXPECT_GE(recording->info().frameCount, reported);
        EXPECT_LE(recording->info().frameCount, reported + 1);
        EXPECT_EQ(recording->info().warnings.size(), 1U);
        test::expectFrames(*recording);
        expectStamps(*recording);
        ++unfinished;
    }
    EXPECT_GT(unfinished, 15);
}

class NativeTruncation : public testing::TestWithParam<bool> {};

/// Every length of the beginning, then steps; a complete file and one whose writer was killed.
TEST_P(NativeTruncation, eachLengthOpensWholeFramesOrIsRefused) {
    const test::Hdf5MayLeak damaged;
    const TemporaryFolder folder;
    const auto path = folder / "whole.h5";
    const FrameSpec spec = test::sampleSpec(DType::I16, 2, 3, 100);
    constexpr int kFrames = 20;
    if (GetParam()) {
        const Writer writer = startWriter(path, spec);
        ASSERT_GE(killWriter(writer, kFrames, 0), kFrames);
    } else {
        test::writeSample(path, spec, kFrames);
    }
    const std::vector<char> whole = test::bytesOfFile(path);
    const auto cut = folder / "cut.h5";
    std::set<std::int64_t> counts;
    std::int64_t last = 0;
    for (std::size_t length = 0; length <= whole.size(); length += length < 512 ? 5 : 37) {
        test::writeBytes(cut, std::span(whole).first(length));
        SCOPED_TRACE("length " + std::to_string(length));
        try {
            const auto recording = openNative(cut);
            test::expectFrames(*recording);
            if (GetParam()) expectStamps(*recording);
            EXPECT_GE(recording->info().frameCount, last) << "a longer file holds no fewer frames";
            last = recording->info().frameCount;
            counts.insert(last);
            EXPECT_FALSE(recording->info().warnings.empty());
        } catch (const Error& error) {
            EXPECT_EQ(last, 0);
            EXPECT_THAT(error.what(), AnyOf(HasSubstr("copy it again"), HasSubstr("no HDF5 file"),
                                            HasSubstr("without the attribute")));
        }
    }
    EXPECT_GE(counts.size(), static_cast<std::size_t>(kFrames - 1)) << "nearly each count occurs";
}

INSTANTIATE_TEST_SUITE_P(FinishedAndKilled, NativeTruncation, testing::Bool(),
                         [](const auto& each) { return each.param ? "killed" : "finished"; });

TEST(NativeCrash, damageAnywhereNeverPassesForSamples) {
    const test::Hdf5MayLeak damaged;
    const TemporaryFolder folder;
    const auto path = folder / "a.h5";
    const FrameSpec spec = test::sampleSpec(DType::I16, 2, 3, 60);
    test::writeSample(path, spec, 6);
    int readable = 0;
    test::openDamaged(path, 99, [&](Recording& recording) {
        std::vector<std::byte> got(spec.bytes());
        for (std::int64_t i = 0; i < recording.info().frameCount; ++i) {
            recording.readFrame(i, got);
            ASSERT_TRUE(got == test::sampleFrame(spec, i)) << "frame " << i;
            ++readable;
        }
    });
    EXPECT_GT(readable, 100);
}

/// Where the samples of a frame lie in the file. [bytes]
std::size_t placeOfFrame(const std::filesystem::path& path, hsize_t frame) {
    const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const Hdf5Handle frames(H5Dopen2(file.get(), "frames", H5P_DEFAULT));
    const std::vector<hsize_t> at{frame, 0, 0, 0};
    unsigned mask = 0;
    haddr_t address = 0;
    hsize_t bytes = 0;
    H5Dget_chunk_info_by_coord(frames.get(), at.data(), &mask, &address, &bytes);
    return static_cast<std::size_t>(address) + bytes / 2;
}

TEST(NativeCrash, damageCostsItsOwnFramesAndIsToldAsItIs) {
    const test::Hdf5MayLeak damaged;
    const TemporaryFolder folder;
    const auto path = folder / "a.h5";
    const FrameSpec spec = test::sampleSpec(DType::I16, 2, 3, 400);
    test::writeSample(path, spec, 32);
    const std::vector<char> whole = test::bytesOfFile(path);
    const auto openDamaged = [&](const std::vector<hsize_t>& frames) {
        std::vector<char> bytes = whole;
        test::writeBytes(path, whole);
        for (const hsize_t frame : frames) bytes[placeOfFrame(path, frame)] ^= 0x55;
        test::writeBytes(path, bytes);
        return openNative(path);
    };
    std::vector<std::byte> got(spec.bytes());

    auto recording = openDamaged({0});
    EXPECT_EQ(recording->info().frameCount, 32);
    EXPECT_FALSE(recording->info().firstFrameSound);
    EXPECT_THAT(recording->info().warnings, testing::ElementsAre(HasSubstr("frame 1 of 32")));
    EXPECT_THROW(recording->readFrame(0, got), Error);
    recording->readFrame(31, got);
    EXPECT_TRUE(got == test::sampleFrame(spec, 31));

    recording = openDamaged({0, 10, 31});
    EXPECT_EQ(recording->info().frameCount, 31);
    EXPECT_THAT(recording->info().warnings,
                testing::ElementsAre(HasSubstr("frame 1 of 32"), HasSubstr("after frame 31")));
    recording->readFrame(30, got);
    EXPECT_TRUE(got == test::sampleFrame(spec, 30));

    recording = openDamaged({30, 31});
    EXPECT_EQ(recording->info().frameCount, 30);
    EXPECT_THAT(recording->info().warnings, testing::ElementsAre(HasSubstr("30 of 32")));
}

TEST(NativeCrash, aFullDiskKeepsTheFramesBefore) {
    const TemporaryFolder folder;
    const auto path = folder / "a.h5";
    const FrameSpec spec = test::sampleSpec(DType::U16, 2, 16, 500);
    const pid_t process = ::fork();
    ASSERT_GE(process, 0);
    if (process == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{200000, 200000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        int frames = 0;
        std::string message;
        try {
            NativeWriter writer(path, spec, 25.0, {});
            for (;; ++frames) writer.append(test::sampleFrame(spec, frames));
        } catch (const Error& error) {
            message = error.what();
        }
        ::_exit(message.find("are kept") != std::string::npos ? frames : 255);
    }
    int status = 0;
    ::waitpid(process, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    const int appended = WEXITSTATUS(status);
    ASSERT_GT(appended, 1);
    ASSERT_LT(appended, 255);
    const auto recording = openNative(path);
    EXPECT_EQ(recording->info().frameCount, appended);
    test::expectFrames(*recording);
}

TEST(NativeCrash, aRecordingCanBeReadWhileItIsWritten) {
    const test::Hdf5MayLeak damaged;
    const TemporaryFolder folder;
    const auto path = folder / "a.h5";
    const FrameSpec spec = test::sampleSpec(DType::I16, 2, 16, 500);
    const Writer writer = startWriter(path, spec);
    char byte = 0;
    ASSERT_EQ(::read(writer.progress, &byte, 1), 1);
    std::vector<std::byte> got(spec.bytes());
    for (int i = 0; i < 20; ++i) {
        const auto recording = openNative(path);
        const std::int64_t last = recording->info().frameCount - 1;
        for (const std::int64_t frame : {std::int64_t{0}, last}) {
            recording->readFrame(frame, got);
            EXPECT_TRUE(got == test::sampleFrame(spec, frame)) << "frame " << frame;
        }
    }
    killWriter(writer, 0, 0);
}

} // namespace

} // namespace echolux
