// SPDX-License-Identifier: GPL-3.0-or-later
// What the process and the GPU hold while shipped pipelines play for long: nothing grows.
#include "app/pipeline/pipeline_config.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/session.hpp"
#include "gpu/memory/buffer.hpp"
#include "tests/commands/shipped.hpp"
#include "tests/support/gpu.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace echolux {
namespace {

constexpr std::uint64_t kSettled = 5'000; ///< frames
constexpr std::uint64_t kFrames = 25'000;
constexpr std::int64_t kTolerableBytes = std::int64_t{1} << 20; ///< 52 bytes a frame

/// Bytes of the heap in use, those of the driver among them.
std::int64_t heapBytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<std::int64_t>(info.uordblks + info.hblkhd);
}

/// Each view is drawn at a pace of its own, as windows do.
class Drawing {
public:
    Drawing(Engine& engine, std::size_t views) : m_engine(engine), m_views(views) {}
    void draw() {
        ++m_turn;
        for (std::size_t view = 0; view < m_views; ++view) {
            if (m_turn % (view + 1) != 0) continue;
            Mailbox& mailbox = m_engine.mailbox(view);
            if (mailbox.acquire() != nullptr) mailbox.release(m_stream.get());
        }
    }

private:
    Engine& m_engine;
    std::size_t m_views;
    std::uint64_t m_turn = 0;
    Stream m_stream{Backend::Cuda, "drawing"};
};

class ShippedMemoryGpu : public testing::TestWithParam<std::string> {};

TEST_P(ShippedMemoryGpu, HoldsNoMoreTheLongerItPlays) {
    ECHOLUX_NEED_GPU();
    auto recording = openRecording(test::shippedCase(GetParam()).file());
    const SnapshotPtr snapshot =
        imagingSnapshot(recording->info().frame, shippedPipeline(GetParam()));
    std::atomic<int> failures{0};
    Engine engine(std::move(recording), snapshot, Backend::Cuda,
                  {[](std::size_t) {}, [&](const std::string&) { ++failures; }, [] {}});
    Drawing drawing(engine, snapshot->views.size());
    engine.player().setSpeed(0.0);
    engine.player().play();
    const auto playTo = [&](std::uint64_t frames) {
        while (failures == 0 && engine.statistics().framesProcessed < frames) {
            drawing.draw();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    };
    playTo(kSettled);
    const std::int64_t heap = heapBytes();
    const std::uint64_t device = memoryCounters().bytesDeviceHeld;
    playTo(kFrames);
    EXPECT_LT(heapBytes() - heap, kTolerableBytes);
    EXPECT_EQ(memoryCounters().bytesDeviceHeld, device);
    EXPECT_EQ(engine.statistics().framesDropped, 0U);
    EXPECT_EQ(failures, 0);
}

std::vector<std::string> shippedNames() {
    std::vector<std::string> names;
    for (const test::ShippedCase& each : test::shippedCases()) names.push_back(each.pipeline);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Pipelines, ShippedMemoryGpu, testing::ValuesIn(shippedNames()),
                         [](const auto& of) { return of.param; });

} // namespace
} // namespace echolux
