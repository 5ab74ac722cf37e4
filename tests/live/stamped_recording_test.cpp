// SPDX-License-Identifier: GPL-3.0-or-later
// Times and places of frames: from the source into the recording, and out of it.
#include "app/dataset/container/hdf5_handle.hpp"
#include "app/export/export.hpp"
#include "app/live/frame_place.hpp"
#include "app/live/recorder.hpp"
#include "app/live/replay_source.hpp"
#include "app/live/shared_source.hpp"
#include "app/live/shared_writer.hpp"
#include "tests/live/fake_source.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/wait_until.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <thread>

#include <unistd.h>

namespace echolux {
namespace {

using test::FakeSource;
using test::waitUntil;
using testing::HasSubstr;

/// A probe that is moved along y by 1 mm per frame and turned about z by 0.1 rad per frame.
std::shared_ptr<const Pose> poseOfFrame(std::int64_t frame) {
    const double angle = 0.1 * static_cast<double>(frame);
    auto pose = std::make_shared<Pose>();
    pose->along = {{{std::cos(angle), std::sin(angle), 0.0},
                    {-std::sin(angle), std::cos(angle), 0.0},
                    {0.0, 0.0, 1.0}}};
    pose->origin = {0.25, 1e-3 * static_cast<double>(frame), -0.5};
    pose->space = "tracker";
    return pose;
}

std::int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// Records frames 1 to `count` of a source that says 100 frames per second.
struct StampedTake {
    test::TemporaryFolder folder;
    std::filesystem::path file = folder / "take.echolux.h5";

    void record(std::int64_t count, std::chrono::milliseconds between,
                const std::function<FakeSource::Step(std::int64_t)>& frame) {
        auto* source = new FakeSource;
        source->make({LiveSource::Outcome::Frame, 0});
        LiveRecording live(std::unique_ptr<LiveSource>(source), LivePlace{.seconds = 100.0});
        Recorder recorder(live, {.file = file, .program = "test"});
        for (std::int64_t n = 1; n <= count; ++n) {
            source->make(frame(n));
            ASSERT_TRUE(waitUntil([&] { return live.kept().last == n; }));
            std::this_thread::sleep_for(between); // so frames come at least so far apart
        }
        ASSERT_TRUE(waitUntil([&] { return recorder.state().frames == count; }));
        recorder.finish();
    }
};

TEST(StampedRecording, KeepsTheTimeAndPlaceOfEachFrame) {
    StampedTake take;
    const std::int64_t before = nowNs();
    take.record(12, std::chrono::milliseconds(1), [](std::int64_t n) {
        // Frame 7 comes late, and frames 4 and 9 lie nowhere.
        const std::int64_t late = n == 7 ? 30'000'000 : 0;
        return FakeSource::Step{LiveSource::Outcome::Frame, n,
                                5'000'000'000 + 100'000'000 * n + late,
                                n == 4 || n == 9 ? nullptr : poseOfFrame(n)};
    });
    const std::int64_t after = nowNs();
    const auto recording = openRecording(take.file);
    const std::vector<FrameStamp> stamps = stampsOf(*recording, 0, 12);
    ASSERT_EQ(stamps.size(), 12U);
    for (std::int64_t n = 1; n <= 12; ++n) {
        const FrameStamp& stamp = stamps[static_cast<std::size_t>(n - 1)];
        EXPECT_EQ(stamp.number, n);
        EXPECT_EQ(stamp.deviceNs, 5'000'000'000 + 100'000'000 * n + (n == 7 ? 30'000'000 : 0));
        EXPECT_GE(stamp.arrivalNs, before);
        EXPECT_LE(stamp.arrivalNs, after);
        if (n == 4 || n == 9)
            EXPECT_EQ(stamp.pose, nullptr);
        else
            EXPECT_EQ(*stamp.pose, *poseOfFrame(n)) << n;
    }
    EXPECT_EQ(stampsOf(*recording, 5, 2).front().number, 6);
    // 100 Hz was said, and the clock of the source says 10.
    EXPECT_NEAR(recording->info().frameRateHz, 10.0, 1e-9);
    EXPECT_NEAR(recording->info().frame.frameIntervalS, 0.1, 1e-11);
    EXPECT_THAT(recording->info().warnings,
                testing::Contains(HasSubstr("said 100 frames per second, and by its own clock it "
                                            "made 10")));
}

TEST(StampedRecording, WithoutAClockTheArrivalTellsTheRate) {
    StampedTake take;
    take.record(16, std::chrono::milliseconds(100), [](std::int64_t n) {
        return FakeSource::Step{LiveSource::Outcome::Frame, n};
    });
    const auto recording = openRecording(take.file);
    const std::vector<FrameStamp> stamps = stampsOf(*recording, 0, 16);
    EXPECT_EQ(stamps.front().deviceNs, -1);
    // The test's own clock: 15 waits of at least 100 ms.
    EXPECT_LE(recording->info().frameRateHz, 10.0);
    const double seconds =
        static_cast<double>(stamps.back().arrivalNs - stamps.front().arrivalNs) * 1e-9;
    EXPECT_NEAR(recording->info().frameRateHz, 15.0 / seconds, 1e-9);
}

TEST(StampedRecording, FramesThatWereLostDoNotSlowTheRate) {
    StampedTake take;
    take.record(10, std::chrono::milliseconds(1), [](std::int64_t n) {
        return FakeSource::Step{LiveSource::Outcome::Frame, 3 * n, 10'000'000 * 3 * n};
    });
    EXPECT_DOUBLE_EQ(openRecording(take.file)->info().frameRateHz, 100.0)
        << "two of three are lost, but the source made 100 per second";
}

TEST(StampedRecording, ExportsHaveTheStamps) {
    StampedTake take;
    take.record(9, std::chrono::milliseconds(1), [](std::int64_t n) {
        return FakeSource::Step{LiveSource::Outcome::Frame, n, 7'000'000'000 + 20'000'000 * n * n,
                                poseOfFrame(n)};
    });
    ExportRequest request;
    request.file = take.file;
    request.target = take.folder / "some.echolux.h5";
    request.frames = {2, 6};
    exportRecording(request);
    const auto some = openRecording(request.target);
    const std::vector<FrameStamp> stamps = stampsOf(*some, 0, 5);
    ASSERT_EQ(stamps.size(), 5U);
    for (std::int64_t i = 0; i < 5; ++i) {
        const std::int64_t n = i + 3;
        EXPECT_EQ(stamps[static_cast<std::size_t>(i)].deviceNs, 7'000'000'000 + 20'000'000 * n * n);
        EXPECT_EQ(*stamps[static_cast<std::size_t>(i)].pose, *poseOfFrame(n));
    }
}

TEST(StampedRecording, RotationsAndQuaternionsAreTheSame) {
    // A quarter turn about (1, 1, 1) / sqrt 3 by 120 degrees takes x to y to z: w = 1/2, x = y = z.
    const auto turned = poseAt({{1.0F, 2.0F, 3.0F}, {0.5F, 0.5F, 0.5F, 0.5F}}, "s");
    ASSERT_NE(turned, nullptr);
    EXPECT_EQ(turned->along[0], (Point{0.0, 1.0, 0.0}));
    EXPECT_EQ(turned->along[1], (Point{0.0, 0.0, 1.0}));
    EXPECT_EQ(turned->along[2], (Point{1.0, 0.0, 0.0}));
    EXPECT_EQ(turned->origin, (Point{1.0, 2.0, 3.0}));
    // Half turns about each axis are where the largest component matters.
    for (const std::array<float, 4>& rotation :
         {std::array{0.0F, 1.0F, 0.0F, 0.0F}, std::array{0.0F, 0.0F, 1.0F, 0.0F},
          std::array{0.0F, 0.0F, 0.0F, 1.0F}, std::array{0.6F, 0.0F, -0.8F, 0.0F},
          std::array{0.1F, 0.7F, -0.1F, 0.7F}}) {
        const auto pose = poseAt({{0.0F, 0.0F, 0.0F}, rotation}, "s");
        const auto back = placeOf(*pose);
        ASSERT_TRUE(back);
        float product = 0.0F; // q and -q are one rotation
        for (std::size_t i = 0; i < 4; ++i) product += back->rotation[i] * rotation[i];
        EXPECT_NEAR(std::abs(product), 1.0F, 1e-6F);
    }
    EXPECT_EQ(poseAt({{NAN, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F, 0.0F}}, "s"), nullptr);
    EXPECT_EQ(poseAt({{}, {0.0F, 0.0F, 0.0F, 0.0F}}, "s"), nullptr);
    Pose mirrored;
    mirrored.along[1] = {0.0, -1.0, 0.0};
    EXPECT_FALSE(placeOf(mirrored)) << "no rotation";
}

TEST(StampedRecording, SharedMemoryHandsPlacesOn) {
    FakeSource source;
    const std::string name = fmt::format("places-{}", ::getpid());
    SharedWriter writer({.name = name, .slotCount = 4}, source.info());
    const auto write = [&](std::int64_t n, std::shared_ptr<const Pose> pose) {
        std::ranges::fill(writer.begin(), std::byte{1});
        FrameStamp stamp{.number = n, .deviceNs = 10 * n};
        stamp.pose = std::move(pose);
        writer.publish(stamp);
    };
    write(0, nullptr);
    SharedSource reader(name, "shared:" + name);
    for (std::int64_t n = 1; n <= 9; ++n) {
        write(n, n % 3 == 0 ? nullptr : poseOfFrame(n));
        std::vector<std::byte> frame(reader.info().frame.bytes());
        FrameStamp stamp;
        while (stamp.number != n)
            ASSERT_EQ(reader.next(frame, stamp, {}), LiveSource::Outcome::Frame);
        EXPECT_EQ(stamp.deviceNs, 10 * n);
        ASSERT_EQ(stamp.pose == nullptr, n % 3 == 0) << "a place of a former frame in this slot";
        if (!stamp.pose) continue;
        const auto is = rowsOf(stamp.pose.get());
        const auto was = rowsOf(poseOfFrame(n).get());
        for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(is[i], was[i], 1e-6);
    }
}

TEST(StampedRecording, AReplayHasThePlaces) {
    StampedTake take;
    take.record(4, std::chrono::milliseconds(1), [](std::int64_t n) {
        return FakeSource::Step{LiveSource::Outcome::Frame, n, -1, poseOfFrame(n)};
    });
    ReplaySource source(openRecording(take.file), "replay:take");
    source.setParameter("rate", 0.0);
    std::vector<std::byte> frame(source.info().frame.bytes());
    for (std::int64_t n = 0; n < 8; ++n) {
        FrameStamp stamp;
        ASSERT_EQ(source.next(frame, stamp, {}), LiveSource::Outcome::Frame);
        EXPECT_EQ(*stamp.pose, *poseOfFrame(n % 4 + 1));
    }
}

} // namespace
} // namespace echolux
