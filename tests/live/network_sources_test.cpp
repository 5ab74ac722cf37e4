// SPDX-License-Identifier: GPL-3.0-or-later
// Frames from a network: a server of OpenIGTLink and a publisher of ZeroMQ in this process, what
// they send, and what they send wrongly.
#include "app/live/network_sources.hpp"

#include "app/live/frame_description.hpp"
#include "app/live/igtl_source.hpp"
#include "app/live/open_live.hpp"
#include "app/live/zmq_source.hpp"
#include "app/live/zmq_writer.hpp"
#include "gpu/core/error.hpp"
#include "tests/live/fake_source.hpp"
#include "tests/live/igtl_server.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
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

/// Of this machine, a moment ago.
int freePort() { return TcpListener("127.0.0.1", 0).port(); }

TEST(IgtlSource, GivesTheImagesOfAServer) {
    const IgtlServer server([](TcpSocket& socket) {
        for (const std::uint8_t first : {10, 20, 30}) socket.send(imageMessage(4, first), kToSend);
        IgtlServer::awaitEnd(socket);
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
    for (const int first : {10, 20, 30}) {
        ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
        EXPECT_EQ(out.front(), static_cast<std::byte>(first));
        EXPECT_EQ(out.back(), static_cast<std::byte>(first + 11));
        EXPECT_EQ(stamp.deviceNs, 1'000'000'000);
    }
}

TEST(IgtlSource, TakesTheImagesOfOneSenderAlone) {
    const IgtlServer server([](TcpSocket& socket) {
        for (const std::uint8_t first : {10, 20}) {
            socket.send(imageMessage(6, 1, "Camera"), kToSend);
            socket.send(imageMessage(4, first, "Probe"), kToSend);
        }
        IgtlServer::awaitEnd(socket);
    });
    const auto source = networkSource(server.address("?device=Probe&content=decibels"));
    EXPECT_EQ(source->info().frame.describe(), "u8 [depth 3][lateral 4]");
    EXPECT_EQ(source->info().frame.recordedForm, RecordedForm::Decibels);
    std::vector<std::byte> out(source->info().frame.bytes());
    FrameStamp stamp;
    for (const std::byte first : {std::byte{10}, std::byte{20}}) {
        ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
        EXPECT_EQ(out.front(), first);
    }
}

TEST(IgtlSource, SurvivesGarbageAndAServerThatStartsAgain) {
    std::atomic<int> connections = 0;
    const IgtlServer server([&](TcpSocket& socket) {
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
        IgtlServer::awaitEnd(socket);
    });
    const auto source = networkSource(server.address());
    std::vector<std::byte> out(source->info().frame.bytes());
    FrameStamp stamp;
    for (const char* when : {"at once", "after a second"}) {
        ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame) << when;
        EXPECT_EQ(out.front(), std::byte{1});
    }
    ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Malformed);
    EXPECT_THAT(source->reason(), HasSubstr("check sum"));
    ASSERT_EQ(nextOf(*source, out, stamp), Outcome::Frame);
    EXPECT_EQ(out.front(), std::byte{3});
    EXPECT_EQ(nextOf(*source, out, stamp), Outcome::Changed);
}

TEST(IgtlSource, AHeaderThatLiesAboutItsSizeCostsNoMemory) {
    const IgtlServer server([](TcpSocket& socket) {
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

/// The text of a publisher in a sentence does not steer the terminal.
TEST(ZmqSource, ADescriptionThatIsNoneIsRefusedInPrint) {
    const std::string toml = "[data]\ndtype = \"\\u001b[31m\"\nshape = [4]\naxes = [\"sample\"]\n";
    const std::vector<std::byte> samples(4);
    const std::string sentence =
        refusal([&] { describedFrame(std::as_bytes(std::span(toml)), samples); });
    EXPECT_THAT(sentence, HasSubstr("?[31m"));
    EXPECT_THAT(sentence, testing::Not(HasSubstr("\x1b")));
    const std::string deep = "a = " + std::string(100'000, '['); // for a parser that recurses
    EXPECT_THAT(refusal([&] { describedFrame(std::as_bytes(std::span(deep)), samples); }),
                HasSubstr("deep within each other"));
}

TEST(ZmqSource, ATemporaryFolderThatIsNoneIsOneSentence) {
    const char* former = std::getenv("TMPDIR");
    const std::string kept = former != nullptr ? former : "";
    ::setenv("TMPDIR", "/none", 1);
    EXPECT_THAT(refusal([] { describedFrame({}, {}); }), HasSubstr("set TMPDIR"));
    former != nullptr ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
}

TEST(ZmqSource, WhatIsMalformedBeforeTheFirstFrameIsRefused) {
    const HostAndPort place{.port = freePort()};
    ZmqSocket publisher(ZmqSocket::Kind::Publisher, place.text());
    std::jthread sender([&](const std::stop_token& stop) {
        const std::string samples(16, 'x');
        for (int n = 0; !stop.stop_requested(); ++n) { // most are of a type that no frame has
            const std::string header =
                fmt::format(R"({{"dtype": "{}", "shape": [2, {}], "axes": [{{"name": "depth",
                    "size": 2, "unit": "m"}}, {{"name": "lateral", "size": {}, "unit": "m"}}]}})",
                            n % 20 == 0 ? "|u1" : "<c16", n % 20 == 0 ? 8 : 1, n % 20 == 0 ? 8 : 1);
            publisher.send(
                std::vector{std::as_bytes(std::span(header)), std::as_bytes(std::span(samples))});
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    });
    EXPECT_EQ(networkSource("zmq:" + place.text())->info().frame.describe(),
              "u8 [depth 2][lateral 8]");
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
                HasSubstr("'/none' is no file"));
    EXPECT_THAT(refusal([] { networkSource("zmq:1?sidecar=/dev/zero"); }),
                HasSubstr("'/dev/zero' is no file"));
    const test::TemporaryFolder folder;
    std::ofstream(folder / "huge.toml").close();
    std::filesystem::resize_file(folder / "huge.toml", (std::uintmax_t{64} << 20) + 1);
    EXPECT_THAT(refusal([&] { networkSource("zmq:1?sidecar=" + (folder / "huge.toml").string()); }),
                HasSubstr("is larger than 64 MB"));
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
