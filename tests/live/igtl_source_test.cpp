// SPDX-License-Identifier: GPL-3.0-or-later
// Networks that are slow, probes that move, and senders that begin with something else.
#include "app/live/igtl_source.hpp"

#include "app/live/live_recording.hpp"
#include "app/live/network_sources.hpp"
#include "tests/live/igtl_server.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/wait_until.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <thread>

namespace echolux {
namespace {

using test::IgtlServer;
using test::imageMessage;
using test::kToSend;
using test::nextOf;
using testing::HasSubstr;
using testing_support::refusal;
using Outcome = LiveSource::Outcome;

/// Sends the message in parts that end at these bytes, with pauses between.
void sendSlowly(TcpSocket& socket, const std::vector<std::byte>& message,
                const std::vector<std::size_t>& ends, std::chrono::milliseconds pause) {
    std::size_t sent = 0;
    for (const std::size_t end : ends) {
        socket.send(std::span(message).subspan(sent, end - sent), kToSend);
        sent = end;
        std::this_thread::sleep_for(pause);
    }
    socket.send(std::span(message).subspan(sent), kToSend);
}

/// One call of next() waits 100 ms.
TEST(IgtlSource, AMessageMayTakeLongerThanACall) {
    const IgtlServer server([](TcpSocket& socket) {
        socket.send(imageMessage(4, 10), kToSend);
        for (const std::uint8_t first : {20, 30})
            sendSlowly(socket, imageMessage(4, first), {30, 58, 90, 131, 140},
                       std::chrono::milliseconds(80));
        IgtlServer::awaitEnd(socket);
    });
    const auto source = networkSource(server.address());
    std::vector<std::byte> out(source->info().frame.bytes());
    FrameStamp stamp;
    for (const std::uint8_t first : {10, 20, 30}) {
        ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame) << source->reason();
        for (std::size_t i = 0; i < out.size(); ++i)
            EXPECT_EQ(out[i], static_cast<std::byte>(first + i)) << int{first};
    }
}

TEST(IgtlSource, AnImageThatIsOnItsWayIsWaitedFor) {
    const IgtlServer server([](TcpSocket& socket) {
        sendSlowly(socket, imageMessage(4, 10), {10, 60, 70, 100, 120, 140},
                   std::chrono::milliseconds(400));
        IgtlServer::awaitEnd(socket);
    });
    const IgtlSource source({.port = server.port(), .patience = std::chrono::milliseconds(1500)},
                            "igtl:");
    EXPECT_EQ(source.info().frame.describe(), "u8 [depth 3][lateral 4]");
}

/// Degrees of a turn about the third axis, and a way along the first, as trackers send them: in
/// mm, with four digits behind the point.
struct Placed {
    static constexpr double kStepMm = 0.05;
    double cosine = 1.0;
    double sine = 0.0;
    std::array<double, 3> centreMm{};

    explicit Placed(int n)
        : cosine(std::cos(0.1 * n)), sine(std::sin(0.1 * n)), centreMm{1.5 * n, -0.5 * n, 20.0} {}
    std::vector<std::byte> message() const {
        const auto rounded = [](double value) { return std::round(value * 1e4) * 1e-4; };
        const std::array<std::uint8_t, 8 * 6> pixels{};
        IgtlImage image;
        image.size = {8, 6, 1};
        image.step = {{{rounded(kStepMm * cosine), rounded(kStepMm * sine), 0.0},
                       {rounded(-kStepMm * sine), rounded(kStepMm * cosine), 0.0},
                       {0.0, 0.0, 1.0 + std::abs(sine)}}}; // of one image there is none
        image.centre = centreMm;
        image.pixels = std::as_bytes(std::span(pixels));
        return writeIgtlImage(image, "Probe", 1'000'000'000);
    }
};

TEST(IgtlSource, ATrackedProbeGivesEachFrameWithItsPlace) {
    constexpr int kFrames = 40;
    const IgtlServer server([](TcpSocket& socket) {
        for (int n = 0; n < kFrames; ++n) socket.send(Placed(n).message(), kToSend);
        IgtlServer::awaitEnd(socket);
    });
    const auto source = networkSource(server.address());
    const FrameSpec& frame = source->info().frame;
    std::vector<std::byte> out(frame.bytes());
    FrameStamp stamp;
    const auto middle = [&](AxisName name) {
        const Axis& axis = *frame.find(name);
        return axis.origin + axis.spacing * static_cast<double>(axis.size - 1) / 2;
    };
    for (int n = 0; n < kFrames; ++n) {
        ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame) << n << source->reason();
        const Placed placed(n);
        const Pose& pose = *stamp.pose;
        EXPECT_NEAR(pose.along[0].x, placed.cosine, 3e-3) << n;
        EXPECT_NEAR(pose.along[0].y, placed.sine, 3e-3);
        EXPECT_NEAR(pose.along[2].x, -placed.sine, 3e-3) << "depth";
        const double lateral = middle(AxisName::Lateral);
        const double depth = middle(AxisName::Depth);
        EXPECT_NEAR(pose.origin.x + lateral * pose.along[0].x + depth * pose.along[2].x,
                    placed.centreMm[0] * 1e-3, 1e-6);
        EXPECT_NEAR(pose.origin.y + lateral * pose.along[0].y + depth * pose.along[2].y,
                    placed.centreMm[1] * 1e-3, 1e-6);
    }
}

TEST(IgtlSource, AnotherScaleIsStillAChange) {
    const IgtlServer server([](TcpSocket& socket) {
        std::array<std::uint8_t, 12> pixels{};
        for (const double step : {0.05, 0.052}) {
            IgtlImage image{.size = {4, 3, 1}, .pixels = std::as_bytes(std::span(pixels))};
            image.step = {{{step, 0, 0}, {0, step, 0}, {0, 0, 1}}};
            socket.send(writeIgtlImage(image, "Probe", 1), kToSend);
        }
        IgtlServer::awaitEnd(socket);
    });
    const auto source = networkSource(server.address());
    std::vector<std::byte> out(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
    EXPECT_EQ(nextOf(*source, out, stamp), Outcome::Changed);
}

TEST(IgtlSource, WhatIsMalformedBeforeTheFirstImageIsRefusedAndCounted) {
    const IgtlServer server([](TcpSocket& socket) {
        auto damaged = imageMessage(4, 1);
        damaged.back() ^= std::byte{1};
        socket.send(damaged, kToSend);
        const IgtlImage none{.scalar = static_cast<IgtlScalar>(9), // which does not exist
                             .pixels = std::as_bytes(std::span("ab", 2))};
        socket.send(writeIgtlImage(none, "Probe", 1), kToSend);
        socket.send(imageMessage(4, 7), kToSend);
        IgtlServer::awaitEnd(socket);
    });
    LiveRecording live(networkSource(server.address()), {});
    EXPECT_EQ(live.counters().malformed, 2U) << live.counters().reason;
    EXPECT_EQ(*live.lend(0).samples(), std::byte{7});
}

TEST(IgtlSource, WhereNoneMakesAFrameTheReasonIsSaid) {
    const IgtlServer server([](TcpSocket& socket) {
        auto damaged = imageMessage(4, 1);
        damaged.back() ^= std::byte{1};
        socket.send(damaged, kToSend);
        IgtlServer::awaitEnd(socket);
    });
    EXPECT_THAT(refusal([&] {
                    IgtlSource({.port = server.port(), .patience = std::chrono::milliseconds(300)},
                               "igtl:");
                }),
                HasSubstr("1 came without an image (The check sum"));
}

TEST(IgtlSource, AnImageOfOnePixelIsAnImage) {
    const IgtlServer server([](TcpSocket& socket) {
        const IgtlImage image{.pixels = std::as_bytes(std::span("x", 1))};
        for (int i = 0; i < 3; ++i) socket.send(writeIgtlImage(image, "Probe", 1), kToSend);
        IgtlServer::awaitEnd(socket);
    });
    LiveRecording live(networkSource(server.address()), {});
    ASSERT_TRUE(test::waitUntil([&] { return live.kept().last == 2; }));
    EXPECT_EQ(*live.lend(2).samples(), std::byte{'x'});
}

} // namespace
} // namespace echolux
