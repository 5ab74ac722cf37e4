// SPDX-License-Identifier: GPL-3.0-or-later
// Cameras that Aravis simulates: one within the program, and one that speaks GigE Vision over the
// loopback device. Both make a ramp: (column + line + frame) modulo 255 at an exposure of 10 ms.
#include "app/live/camera/aravis_camera.hpp"

#include "app/live/live_recording.hpp"
#include "app/live/open_live.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#ifdef ECHOLUX_HAS_ARAVIS
#include "app/live/camera/aravis_object.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#endif

namespace echolux {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

std::string answer(const std::string& address) {
    return refusal([&] { liveSource(address, Backend::Cpu); });
}

#ifdef ECHOLUX_HAS_ARAVIS

using Outcome = LiveSource::Outcome;
constexpr int kPeriod = 255;
constexpr std::chrono::milliseconds kWait{100};

/// The next outcome that is not Nothing.
Outcome nextOf(LiveSource& source, std::span<std::byte> out, FrameStamp& stamp) {
    for (int i = 0; i < 300; ++i) {
        const Outcome outcome = source.next(out, stamp, {});
        if (outcome != Outcome::Nothing) return outcome;
    }
    return Outcome::Nothing;
}

/// What the ramp has at the first pixel of frame 0, if all pixels of this frame lie on it; else -1.
int rampOf(const std::vector<std::byte>& frame, int width, std::int64_t number) {
    const auto at = [&](std::size_t i) { return std::to_integer<int>(frame[i]); };
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const int column = static_cast<int>(i) % width;
        const int line = static_cast<int>(i) / width;
        if (at(i) != (at(0) + column + line) % kPeriod) return -1;
    }
    return static_cast<int>(((at(0) - number) % kPeriod + kPeriod) % kPeriod);
}

TEST(AravisCamera, FramesAreThoseOfTheCamera) {
    const auto source = liveSource("camera:fake?rate=500&exposure=10000", Backend::Cpu);
    EXPECT_EQ(source->info().frame.describe(), "u8 [lateral 512][sample 512]");
    EXPECT_DOUBLE_EQ(source->info().frameRateHz, 500.0);
    std::vector<std::byte> out(source->info().frame.bytes());
    FrameStamp stamp;
    int ramp = -1;
    std::int64_t last = -1;
    while (last < 200) { // the camera's own numbers begin again after 135 frames
        ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
        ASSERT_GT(stamp.number, last);
        last = stamp.number;
        if (ramp < 0) ramp = rampOf(out, 512, stamp.number);
        ASSERT_GE(ramp, 0);
        ASSERT_EQ(rampOf(out, 512, stamp.number), ramp) << last;
    }
}

TEST(AravisCamera, LinesMakeBscans) {
    const auto one = liveSource("camera:fake?lines=64&exposure=10000", Backend::Cpu);
    EXPECT_EQ(one->info().frame.describe(), "u8 [lateral 64][sample 512]");
    const auto source = liveSource("camera:fake?lines=3072&rate=50&exposure=10000", Backend::Cpu);
    EXPECT_EQ(source->info().frame.describe(), "u8 [lateral 3072][sample 512]")
        << "two frames of 1536 lines, because the camera has 2048 at most";
    EXPECT_DOUBLE_EQ(source->info().frameRateHz, 50.0);
    std::vector<std::byte> out(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
    const auto line = [&](std::size_t i) { return std::to_integer<int>(out[i * 512]); };
    EXPECT_EQ(line(1535), (line(0) + 1535) % kPeriod);
    EXPECT_EQ(line(1536), (line(0) + 1) % kPeriod) << "the next frame of the camera";
    EXPECT_EQ(line(3071), (line(0) + 1 + 1535) % kPeriod);
}

TEST(AravisCamera, SixteenBitsAndExposure) {
    const auto source = liveSource("camera:fake?format=Mono16&lines=4", Backend::Cpu);
    EXPECT_EQ(source->info().frame.describe(), "u16 [lateral 4][sample 512]");
    EXPECT_DOUBLE_EQ(source->info().frame.converterRange->highest, 65535.0);
    const std::vector<LiveParameter> all = source->parameters();
    ASSERT_EQ(all.size(), 1U);
    const auto darker = openAravisCamera({.name = kFakeCamera, .exposureS = 5e-3}, "x");
    EXPECT_DOUBLE_EQ(*darker->facts().exposureS, 5e-3);
    darker->setExposure(6e-3);
    EXPECT_THAT(darker->facts().title, HasSubstr("Aravis Fake"));
}

TEST(AravisCamera, StopsStartsAndIsDestroyedWhileItRuns) {
    for (int i = 0; i < 3; ++i) {
        LiveRecording recording(liveSource("camera:fake?rate=200&lines=16", Backend::Cpu),
                                LivePlace{});
        EXPECT_TRUE(recording.waitFor(2, 30.0));
        const LiveCounters counters = recording.counters();
        EXPECT_EQ(counters.state, LiveState::Running);
        EXPECT_EQ(counters.malformed, 0U);
    }
    const auto camera = openAravisCamera({.name = kFakeCamera}, "x");
    while (camera->next(kWait).kind != CameraFrame::Kind::Whole) {
    }
} // with a frame that is lent

TEST(AravisCamera, RefusalsSayWhatTheCameraAllows) {
    EXPECT_THAT(answer("camera:nobody"), HasSubstr("'camera:nobody': "));
    EXPECT_THAT(answer("camera:fake?rate=5000"),
                HasSubstr("rate is 5000 Hz, and this camera allows 0.1 to 1000 Hz"));
    EXPECT_THAT(answer("camera:fake?exposure=1"), HasSubstr("exposure is 1 us"));
    EXPECT_THAT(answer("camera:fake?format=Mono12"),
                HasSubstr("the camera has no format Mono12; it offers"));
    EXPECT_THAT(answer("camera:fake?format=RGB8"), HasSubstr("format is none of Mono8"));
    EXPECT_THAT(answer("camera:fake?lines=70000"), HasSubstr("lines"));
    EXPECT_THAT(answer("camera:list"), testing::AnyOf(HasSubstr("Cameras that were found"),
                                                      HasSubstr("No camera was found")));
}

/// A camera of GigE Vision at 127.0.0.1. The port is the same for all cameras, so other processes
/// wait for their turn.
class GigeCamera {
public:
    GigeCamera() : m_turn(::open(__FILE__, O_RDONLY | O_CLOEXEC)) {
        ::flock(m_turn, LOCK_EX);
        m_camera.reset(arv_gv_fake_camera_new("127.0.0.1", "GV01"));
    }
    GigeCamera(const GigeCamera&) = delete;
    GigeCamera& operator=(const GigeCamera&) = delete;
    ~GigeCamera() {
        m_camera.reset();
        ::close(m_turn);
    }
    ArvGvFakeCamera* operator->() const { return m_camera.get(); }
    void losePackets(double share) const {
        g_object_set(m_camera.get(), "gvsp-lost-ratio", share, nullptr);
    }
    void set(guint32 address, guint32 value) const {
        arv_fake_camera_write_register(arv_gv_fake_camera_get_fake_camera(m_camera.get()), address,
                                       value);
    }
    void forget() const {
        arv_fake_camera_set_control_channel_privilege(
            arv_gv_fake_camera_get_fake_camera(m_camera.get()), 0);
    }

private:
    int m_turn;
    AravisObject<ArvGvFakeCamera> m_camera;
};

constexpr const char* kGige = "camera:127.0.0.1?rate=200&exposure=10000";

TEST(GigeCamera, IsFoundByItsNamesAndListed) {
    const GigeCamera camera;
    EXPECT_THAT(camerasFound(), testing::Contains(HasSubstr("Aravis-Fake-GV01")));
    EXPECT_THAT(answer("camera:list"), HasSubstr("Aravis-Fake-GV01 (Aravis Fake)"));
    EXPECT_THAT(answer("camera:nobody"), HasSubstr("there is no camera 'nobody'; found were "));
    for (const char* name : {"Aravis-Fake-GV01", "GV01", "127.0.0.1"})
        EXPECT_EQ(answer(fmt::format("camera:{}", name)), "accepted") << name;
}

TEST(GigeCamera, FramesThatLosePacketsAreLostAtTheSource) {
    const GigeCamera camera;
    const auto source = liveSource(kGige, Backend::Cpu);
    std::vector<std::byte> out(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
    const int ramp = rampOf(out, 512, stamp.number);
    ASSERT_GE(ramp, 0);
    camera.losePackets(0.001);
    std::int64_t frames = 1;
    const std::int64_t first = stamp.number;
    while (stamp.number < first + 200) {
        ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
        ASSERT_EQ(rampOf(out, 512, stamp.number), ramp) << "number and picture belong together";
        ++frames;
    }
    EXPECT_LT(frames, stamp.number - first + 1) << "some were lost";
    EXPECT_NE(source->readouts().front().second, "0");
}

TEST(GigeCamera, EndsWhereItsFramesChange) {
    const GigeCamera camera;
    const auto source = liveSource(kGige, Backend::Cpu);
    std::vector<std::byte> out(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
    camera.set(ARV_FAKE_CAMERA_REGISTER_HEIGHT, 100);
    Outcome outcome = Outcome::Frame;
    while (outcome == Outcome::Frame) outcome = nextOf(*source, out, stamp);
    EXPECT_EQ(outcome, Outcome::Changed);
    EXPECT_THAT(source->reason(), HasSubstr("100 lines of 512 pixels"));
}

TEST(GigeCamera, EndsWhereTheCameraIsGone) {
    const GigeCamera camera;
    const auto source = liveSource(kGige, Backend::Cpu);
    std::vector<std::byte> out(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
    camera.forget();
    Outcome outcome = Outcome::Frame;
    while (outcome == Outcome::Frame) outcome = nextOf(*source, out, stamp);
    EXPECT_EQ(outcome, Outcome::Ended);
    EXPECT_THAT(source->reason(), HasSubstr("is gone"));
}

TEST(GigeCamera, IsRefusedWhileAnotherUsesIt) {
    const GigeCamera camera;
    const auto source = liveSource(kGige, Backend::Cpu);
    EXPECT_THAT(answer("camera:GV01"), HasSubstr("another program uses the camera"));
}

#else

TEST(AravisCamera, WithoutAravisTheAddressSaysWhatTheBuildLacks) {
    EXPECT_THAT(answer("camera:fake"), HasSubstr("libaravis-dev"));
    EXPECT_THAT(answer("camera:list"), HasSubstr("libaravis-dev"));
}

#endif

} // namespace
} // namespace echolux
