// SPDX-License-Identifier: GPL-3.0-or-later
// Frames from a network: a server of OpenIGTLink and a publisher of ZeroMQ in this process, what
// they send, and what they send wrongly.
#include "app/live/network_sources.hpp"

#include "app/live/igtl_source.hpp"
#include "app/live/open_live.hpp"
#include "app/live/zmq_source.hpp"
#include "app/live/zmq_writer.hpp"
#include "gpu/core/error.hpp"
#include "tests/live/fake_source.hpp"
#include "tests/support/refusal.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <thread>

namespace echolux {
namespace {

using testing::HasSubstr;
using testing_support::refusal;
using Outcome = LiveSource::Outcome;

constexpr TcpSocket::Patience kToSend{10'000};

std::vector<std::byte> imageMessage(std::int64_t width, std::uint8_t first,
                                    const char* device = "Probe") {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * 3);
    for (std::size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = static_cast<std::uint8_t>(first + i);
    IgtlImage image;
    image.size = {width, 3, 1};
    image.step = {{{0.5, 0, 0}, {0, 0.25, 0}, {0, 0, 1}}};
    image.centre = {0.0, 5.0, 0.0};
    image.pixels = std::as_bytes(std::span(pixels));
    return writeIgtlImage(image, device, 1'000'000'000);
}

/// Of this machine, a moment ago.
int freePort() { return TcpListener("127.0.0.1", 0).port(); }

/// Lets one program after the other in, and does for each what `serve` says.
class Server {
public:
    explicit Server(std::function<void(TcpSocket&)> serve) : m_listener("127.0.0.1", 0) {
        m_thread = std::jthread([this, serve](const std::stop_token& stop) {
            while (!stop.stop_requested())
                if (auto socket = m_listener.accept(TcpSocket::Patience(20))) serve(*socket);
        });
    }
    std::string address(const std::string& options = "") const {
        return fmt::format("igtl:127.0.0.1:{}{}", m_listener.port(), options);
    }

private:
    TcpListener m_listener;
    std::jthread m_thread;
};

/// The next outcome that is not Nothing.
Outcome nextOf(LiveSource& source, std::span<std::byte> out, FrameStamp& stamp) {
    for (int i = 0; i < 200; ++i) {
        const Outcome outcome = source.next(out, stamp, {});
        if (outcome != Outcome::Nothing) return outcome;
    }
    return Outcome::Nothing;
}

TEST(IgtlSource, GivesTheImagesOfAServer) {
    const Server server([](TcpSocket& socket) {
        for (const std::uint8_t first : {10, 20, 30}) socket.send(imageMessage(4, first), kToSend);
        std::byte end{};
        socket.receive(std::span(&end, 1), kToSend);
    });
    const auto source = networkSource(server.address());
    const FrameSpec& frame = source->info().frame;
    EXPECT_EQ(frame.describe(), "u8 [depth 3][lateral 4]");
    EXPECT_EQ(frame.recordedForm, RecordedForm::Picture);
    EXPECT_NEAR(frame.axes[0].spacing, 0.25e-3, 1e-12);
    EXPECT_NEAR(frame.axes[0].origin, 4.75e-3, 1e-9) << "5 mm is the middle";
    EXPECT_NEAR(frame.axes[1].origin, -0.75e-3, 1e-9);
    std::vector<std::byte> out(frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
    EXPECT_EQ(out.front(), std::byte{20}) << "the first image told what images are";
    EXPECT_EQ(out.back(), std::byte{31});
    EXPECT_EQ(stamp.deviceNs, 1'000'000'000);
    ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
    EXPECT_EQ(out.front(), std::byte{30});
}

TEST(IgtlSource, TakesTheImagesOfOneSenderAlone) {
    const Server server([](TcpSocket& socket) {
        for (const std::uint8_t first : {10, 20}) {
            socket.send(imageMessage(6, 1, "Camera"), kToSend);
            socket.send(imageMessage(4, first, "Probe"), kToSend);
        }
        std::byte end{};
        socket.receive(std::span(&end, 1), kToSend);
    });
    const auto source = networkSource(server.address("?device=Probe&content=decibels"));
    EXPECT_EQ(source->info().frame.describe(), "u8 [depth 3][lateral 4]");
    EXPECT_EQ(source->info().frame.recordedForm, RecordedForm::Decibels);
    std::vector<std::byte> out(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
    EXPECT_EQ(out.front(), std::byte{20});
}

TEST(IgtlSource, SurvivesGarbageAndAServerThatStartsAgain) {
    std::atomic<int> connections = 0;
    const Server server([&](TcpSocket& socket) {
        socket.send(imageMessage(4, 1), kToSend);
        if (connections++ == 0) {
            const std::vector<std::byte> garbage(200, std::byte{0xee});
            socket.send(garbage, kToSend); // and the connection ends
            return;
        }
        auto damaged = imageMessage(4, 2);
        damaged.back() ^= std::byte{1};
        socket.send(damaged, kToSend);
        socket.send(imageMessage(4, 3), kToSend);
        socket.send(imageMessage(5, 4), kToSend);
        std::byte end{};
        socket.receive(std::span(&end, 1), kToSend);
    });
    const auto source = networkSource(server.address());
    std::vector<std::byte> out(source->info().frame.bytes());
    FrameStamp stamp;
    ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame) << "after a second";
    EXPECT_EQ(out.front(), std::byte{1});
    ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Malformed);
    EXPECT_THAT(source->reason(), HasSubstr("check sum"));
    ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
    EXPECT_EQ(out.front(), std::byte{3});
    EXPECT_EQ(nextOf(*source, out, stamp), Outcome::Changed);
}

TEST(IgtlSource, AHeaderThatLiesAboutItsSizeCostsNoMemory) {
    const Server server([](TcpSocket& socket) {
        auto message = imageMessage(4, 1);
        message[42] = std::byte{0x7f}; // the highest byte of the body's size
        socket.send(message, kToSend);
    });
    EXPECT_THAT(refusal([&] { networkSource(server.address()); }), HasSubstr("at most"));
}

TEST(ZmqSource, GivesFramesThatAPublisherDescribes) {
    const RecordingInfo info = test::FakeSource().info();
    std::vector<std::byte> frame(info.frame.bytes());
    const HostAndPort place{.port = freePort()};
    ZmqWriter writer(place, info);
    std::jthread publisher([&](const std::stop_token& stop) {
        for (std::int64_t n = 0; !stop.stop_requested(); ++n) {
            std::memcpy(frame.data(), &n, sizeof(std::int16_t));
            writer.publish(frame, {.number = n, .deviceNs = 5 * n});
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    });
    const auto source = networkSource("zmq:" + place.text());
    EXPECT_TRUE(source->info().frame.sameLayout(info.frame)) << source->info().frame.describe();
    std::vector<std::byte> out(frame.size());
    FrameStamp stamp;
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
        std::int16_t number = 0;
        std::memcpy(&number, out.data(), sizeof number);
        EXPECT_EQ(stamp.number, number);
        EXPECT_EQ(stamp.deviceNs, 5 * stamp.number);
    }
}

TEST(ZmqSource, RefusesWhatItDoesNotUnderstandAndGoesOn) {
    const HostAndPort place{.port = freePort()};
    ZmqSocket publisher(ZmqSocket::Kind::Publisher, place.text());
    const auto send = [&](const std::vector<std::string>& parts) {
        std::vector<std::span<const std::byte>> bytes;
        for (const std::string& part : parts) bytes.push_back(std::as_bytes(std::span(part)));
        publisher.send(bytes);
    };
    const std::string axes =
        R"("axes": [{"name": "depth", "size": 2, "spacing": 1e-4, "unit": "m"},
                    {"name": "lateral", "size": 3, "spacing": 2e-4, "unit": "m"}])";
    const std::string good = R"({"dtype": "|u1", "shape": [2, 3], )" + axes + "}";
    std::jthread sender([&](const std::stop_token& stop) {
        for (int n = 0; !stop.stop_requested(); ++n) {
            send({good, "abcdef"});
            send({"{", "abcdef"});
            send({good, "abc"});
            send({"alone"});
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    });
    const auto source = networkSource("zmq:" + place.text());
    EXPECT_EQ(source->info().frame.describe(), "u8 [depth 2][lateral 3]");
    std::vector<std::byte> out(6);
    FrameStamp stamp;
    int frames = 0;
    int malformed = 0;
    while (frames < 3 || malformed < 6) {
        const Outcome outcome = nextOf(*source, out, stamp);
        frames += outcome == Outcome::Frame ? 1 : 0;
        malformed += outcome == Outcome::Malformed ? 1 : 0;
        ASSERT_NE(outcome, Outcome::Nothing);
        if (outcome == Outcome::Frame) {
            EXPECT_EQ(out[5], std::byte{'f'});
        }
    }
}

TEST(NetworkAddress, WhatIsWrongIsSaid) {
    EXPECT_THAT(refusal([] { networkSource("zmq:scanner"); }), HasSubstr("names no port"));
    EXPECT_THAT(refusal([] { networkSource("igtl:1?colour=1"); }),
                HasSubstr("colour is not known"));
    EXPECT_THAT(refusal([] { networkSource("igtl:1?sidecar=/none"); }),
                HasSubstr("'/none' cannot be read"));
    EXPECT_THAT(refusal([] { networkSource("igtl:1"); }), HasSubstr("cannot be reached"));
    EXPECT_THAT(refusal([] {
                    ZmqSource({.where = HostAndPort{.port = freePort()}.text(),
                               .description = {},
                               .patience = std::chrono::milliseconds(150)},
                              "zmq:free");
                }),
                HasSubstr("nothing came within 0.15 s"));
    EXPECT_TRUE(isLiveAddress("igtl:localhost:18944"));
    EXPECT_TRUE(isLiveAddress("zmq:localhost:5556"));
}

} // namespace
} // namespace echolux
