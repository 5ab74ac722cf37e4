// SPDX-License-Identifier: GPL-3.0-or-later
// Shown images for other programs: to a target in memory, and over a network to the sources that
// read them.
#include "app/session/publish/image_publisher.hpp"

#include "app/live/network_sources.hpp"
#include "app/network/igtl_message.hpp"
#include "app/network/tcp.hpp"
#include "app/session/publish/igtl_server.hpp"
#include "tests/session/recording_sinks.hpp"
#include "tests/support/refusal.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>

namespace echolux {
namespace {

using test::waitUntil;
using test::Watched;
using testing::HasSubstr;
using testing_support::refusal;

/// Writes down what it is sent. `busy`: send() does not return.
class TargetLog final : public PublishTarget {
public:
    struct Entry {
        std::int64_t frame = 0;
        std::vector<float> values;
        std::string shape;
    };
    std::string address() const override { return "log"; }
    bool isWanted() override { return wanted; }
    void send(const PublishedImage& image) override {
        while (busy) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const std::lock_guard lock(m_mutex);
        m_entries.push_back(
            {image.frame, {image.values.begin(), image.values.end()}, image.spec->describe()});
    }
    PublishCounters counters() const override { return {.receivers = 1, .sent = entries().size()}; }
    std::vector<Entry> entries() const {
        const std::lock_guard lock(m_mutex);
        return m_entries;
    }
    std::atomic<bool> wanted = true;
    std::atomic<bool> busy = false;

private:
    mutable std::mutex m_mutex;
    std::vector<Entry> m_entries;
};

/// A publisher that has found out that images are wanted.
struct Published {
    std::shared_ptr<TargetLog> log = std::make_shared<TargetLog>();
    ImagePublisher sink{Backend::Cpu, log};
    Published() {
        EXPECT_TRUE(waitUntil([&] { return sink.counters().receivers == 1; }));
    }
};

TEST(ImagePublisher, SendsEachShownImage) {
    Published published;
    Watched live(40);
    live.engine->addSink(published.sink);
    for (const std::int64_t frame : {3, 7, 5}) {
        const std::size_t before = published.log->entries().size();
        ASSERT_TRUE(live.seeks(frame));
        ASSERT_TRUE(waitUntil([&] { return published.log->entries().size() == before + 1; }));
        const auto entry = published.log->entries().back();
        EXPECT_EQ(entry.frame, frame);
        EXPECT_EQ(entry.values, live.shown());
        EXPECT_EQ(entry.shape, "f32 [depth 6][lateral 5]");
    }
    live.engine->removeSink(published.sink);
    EXPECT_EQ(published.sink.leftOut(), 0U);
}

TEST(ImagePublisher, ASlowTargetStopsNothing) {
    Published published;
    Watched live(300);
    live.engine->addSink(published.sink);
    published.log->busy = true;
    live.playOnce();
    ASSERT_TRUE(live.processes(300)) << "the pipeline does not wait";
    EXPECT_GT(published.sink.leftOut(), 200U);
    published.log->busy = false;
    live.engine->removeSink(published.sink);
    EXPECT_EQ(published.log->entries().size() + published.sink.leftOut(), 299U)
        << "each was sent or left out, all but the first";
    EXPECT_EQ(live.told(), "");
}

TEST(ImagePublisher, CopiesNothingWhileNobodyListens) {
    Published published;
    published.log->wanted = false;
    ASSERT_TRUE(waitUntil([&] { return !published.log->wanted; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(200)); // it looks every 50 ms
    Watched live(20);
    live.engine->addSink(published.sink);
    ASSERT_TRUE(live.seeks(3));
    live.engine->removeSink(published.sink);
    EXPECT_TRUE(published.log->entries().empty());
    EXPECT_EQ(published.sink.leftOut(), 0U);
}

/// What a source receives of the shown images, which are those of frame 3 from the first one on.
std::vector<float> received(const std::string& target, const std::string& options = "") {
    const std::shared_ptr<PublishTarget> server = publishTarget(target);
    const std::string address = server->address();
    ImagePublisher sink(Backend::Cpu, server);
    Watched live(40);
    live.engine->addSink(sink);
    std::jthread again([&](const std::stop_token& stop) { // images go on coming
        while (!stop.stop_requested()) {
            live.engine->player().seek(3);
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    });
    const auto source = networkSource(address + options);
    EXPECT_EQ(source->info().frame.axes.size(), 2U);
    EXPECT_EQ(source->info().frame.axes[0].size, 6);
    std::vector<float> values(source->info().frame.bytes() / sizeof(float));
    FrameStamp stamp;
    while (source->next(std::as_writable_bytes(std::span(values)), stamp, {}) !=
           LiveSource::Outcome::Frame) {
    }
    again.request_stop();
    again.join();
    EXPECT_EQ(values, live.shown());
    live.engine->removeSink(sink);
    return values;
}

int freePort() { return TcpListener("127.0.0.1", 0).port(); }

TEST(ImagePublisher, OpenIgtLinkCarriesTheValues) {
    EXPECT_EQ(received(fmt::format("igtl:{}", freePort())).size(), 30U);
}

TEST(ImagePublisher, OpenIgtLinkCarriesThePose) {
    // Lateral to the back, elevation to the feet, depth to the right; zero at (10, 20, 30) mm, LPS.
    FrameSpec spec;
    spec.axes = {{AxisName::Elevation, 2, 4e-3, 1e-3, "m"},
                 {AxisName::Depth, 3, 2e-3, 5e-3, "m"},
                 {AxisName::Lateral, 4, 1e-3, -1.5e-3, "m"}};
    spec.pose = std::make_shared<const Pose>(
        Pose{{{{0, 1, 0}, {0, 0, -1}, {-1, 0, 0}}}, {10e-3, 20e-3, 30e-3}, "LPS"});
    IgtlServer server({.place = {"127.0.0.1", 0}});
    const std::string address = server.address();
    TcpSocket receiver = TcpSocket::connect(
        "127.0.0.1", std::stoi(address.substr(address.rfind(':') + 1)), TcpSocket::Patience(5000));
    ASSERT_TRUE(waitUntil([&] { return server.isWanted(); }));
    const std::vector<float> values(24, 1.0F);
    server.send({&spec, values, 0, 0});
    std::vector<std::byte> bytes;
    std::array<std::byte, 4096> block{};
    constexpr std::size_t kWhole = kIgtlHeaderBytes + 72 + 24 * sizeof(float);
    while (bytes.size() < kWhole) {
        const auto came = receiver.receive(block, TcpSocket::Patience(5000));
        ASSERT_TRUE(came && *came > 0);
        bytes.insert(bytes.end(), block.begin(),
                     block.begin() + static_cast<std::ptrdiff_t>(*came));
    }
    const auto header = readIgtlHeader(std::span(bytes).first<kIgtlHeaderBytes>());
    const IgtlImage image =
        readIgtlImage(igtlContent(header, std::span(bytes).subspan(kIgtlHeaderBytes)));
    using testing::DoubleNear;
    using testing::ElementsAre;
    const auto isVector = [](double x, double y, double z) {
        return ElementsAre(DoubleNear(x, 1e-5), DoubleNear(y, 1e-5), DoubleNear(z, 1e-5));
    };
    // Towards right, front, head: the first two change sign.
    EXPECT_THAT(image.step[0], isVector(0, -1, 0));
    EXPECT_THAT(image.step[1], isVector(2, 0, 0));
    EXPECT_THAT(image.step[2], isVector(0, 0, -4));
    // Its centre: lateral 0, elevation 3, depth 7 mm, so (10 - 7, 20 + 0, 30 - 3).
    EXPECT_THAT(image.centre, isVector(-3, -20, 27));
}

TEST(ImagePublisher, ZeroMqCarriesTheValues) {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "libzmq is compiled without ThreadSanitizer, which then sees no order in it";
#endif
    EXPECT_EQ(received(fmt::format("zmq:{}", freePort())).size(), 30U);
}

TEST(ImagePublisher, AddressesThatCannotBeAreRefused) {
    EXPECT_THAT(refusal([] { publishTarget("tcp:5"); }), HasSubstr("no address to publish at"));
    EXPECT_THAT(refusal([] { publishTarget("igtl:5?map=x"); }), HasSubstr("map is not known"));
    EXPECT_THAT(refusal([] { publishTarget("igtl:203.0.113.7:18944"); }),
                HasSubstr("Nobody can connect to 203.0.113.7:18944"));
    const TcpListener other("127.0.0.1", 0);
    for (const char* kind : {"igtl", "zmq"})
        EXPECT_THAT(refusal([&] { publishTarget(fmt::format("{}:{}", kind, other.port())); }),
                    HasSubstr("choose another port"))
            << kind;
}

} // namespace
} // namespace echolux
