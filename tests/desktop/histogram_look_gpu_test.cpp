// SPDX-License-Identifier: GPL-3.0-or-later
// The histogram of the shown image on CUDA: the counts alone come to the host.
#include "app/session/engine.hpp"
#include "app/tools/histogram/look.hpp"
#include "gpu/memory/buffer.hpp"
#include "tests/session/fake_recording.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace echolux {
namespace {

using test::chainOf;
using test::FakeRecording;
using test::waitUntil;

TEST(HistogramLookGpu, CopiesTheCountsAlone) {
    ECHOLUX_NEED_GPU();
    std::atomic<int> images{0};
    std::atomic<int> failures{0};
    auto recording = std::make_unique<FakeRecording>(4, 50.0);
    const SnapshotPtr snapshot = instantiate(chainOf({"to_float"}), recording->info().frame);
    Engine engine(std::move(recording), snapshot, Backend::Cuda,
                  Engine::Callbacks{[&](std::size_t) { ++images; },
                                    [&](const std::string&) { ++failures; }, [] {}});
    ASSERT_TRUE(waitUntil([&] { return images >= 1; }));
    engine.player().step(1);
    ASSERT_TRUE(waitUntil([&] { return images >= 2; }));
    HistogramLook& look = engine.look<HistogramLook>(); // made where no snapshot names it
    const MemoryCounters before = memoryCounters();
    look.want(HistogramRequest{0, {-0.5F, 255.5F, -1.0F}});
    ASSERT_TRUE(waitUntil([&] { return look.latest() != nullptr; }));
    const MemoryCounters after = memoryCounters();
    EXPECT_EQ(after.deviceToHost, before.deviceToHost);
    EXPECT_EQ(after.linesToHost, before.linesToHost + 1);
    EXPECT_EQ(after.allocations, before.allocations);
    EXPECT_EQ(look.latest()->counts.of[1], 28U);
    EXPECT_EQ(look.latest()->counts.of[2], 2U);
    EXPECT_EQ(failures, 0);
}

} // namespace
} // namespace echolux
