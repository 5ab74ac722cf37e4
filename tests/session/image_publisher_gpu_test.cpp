// SPDX-License-Identifier: GPL-3.0-or-later
// Published images of a pipeline on CUDA: whole, in order, and not counted as images that the
// screen had to wait for.
#include "app/session/publish/image_publisher.hpp"

#include "app/session/engine.hpp"
#include "tests/session/fake_recording.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

namespace echolux {
namespace {

using test::chainOf;
using test::FakeRecording;
using test::waitUntil;

class FrameLog final : public PublishTarget {
public:
    std::string address() const override { return "log"; }
    bool isWanted() override { return true; }
    void send(const PublishedImage& image) override {
        const std::lock_guard lock(m_mutex);
        const auto number = static_cast<float>(image.frame);
        for (std::size_t i = 1; i < image.values.size(); ++i)
            if (image.values[i] != number + 1.0F / static_cast<float>(i)) ++wrong;
        frames.push_back(image.frame);
    }
    PublishCounters counters() const override {
        PublishCounters counters;
        counters.receivers = 1;
        return counters;
    }
    std::vector<std::int64_t> sent() const {
        const std::lock_guard lock(m_mutex);
        return frames;
    }
    std::atomic<int> wrong = 0;

private:
    mutable std::mutex m_mutex;
    std::vector<std::int64_t> frames;
};

TEST(ImagePublisherGpu, SendsWholeImagesInOrder) {
    ECHOLUX_NEED_GPU();
    constexpr std::int64_t kFrames = 200;
    const auto log = std::make_shared<FrameLog>();
    ImagePublisher sink(Backend::Cuda, log);
    ASSERT_TRUE(waitUntil([&] { return sink.counters().receivers == 1; }));
    std::atomic<int> failures{0};
    auto recording = std::make_unique<FakeRecording>(kFrames, 1000.0);
    const SnapshotPtr snapshot = instantiate(chainOf({"to_float"}), recording->info().frame);
    Engine engine(
        std::move(recording), snapshot, Backend::Cuda,
        Engine::Callbacks{[](std::size_t) {}, [&](const std::string&) { ++failures; }, [] {}});
    ASSERT_TRUE(waitUntil([&] { return engine.statistics().framesProcessed >= 1; }));
    engine.addSink(sink);
    const MemoryCounters before = memoryCounters();
    engine.player().setLoop(false);
    engine.player().play();
    ASSERT_TRUE(waitUntil([&] { return engine.statistics().framesProcessed >= kFrames; }));
    engine.removeSink(sink);
    const auto sent = log->sent();
    EXPECT_GT(sent.size(), 3U);
    EXPECT_TRUE(std::ranges::is_sorted(sent));
    EXPECT_EQ(sent.size() + sink.leftOut(), static_cast<std::size_t>(kFrames - 1));
    EXPECT_EQ(log->wrong, 0);
    EXPECT_EQ(memoryCounters().deviceToHost, before.deviceToHost);
    EXPECT_EQ(failures, 0);
}

} // namespace
} // namespace echolux
