// SPDX-License-Identifier: GPL-3.0-or-later
// The pixels of shown images on CUDA: one copy per request, as a line, and no allocation after the
// first one of a view.
#include "app/session/engine.hpp"
#include "app/session/pixels_look.hpp"
#include "gpu/memory/buffer.hpp"
#include "tests/session/fake_recording.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace echolux {
namespace {

using test::chainOf;
using test::FakeRecording;
using test::waitUntil;

TEST(PixelsLookGpu, OfTwoViewsAreCopiedAsTwoLines) {
    ECHOLUX_NEED_GPU();
    std::atomic<int> images{0};
    std::atomic<int> failures{0};
    auto recording = std::make_unique<FakeRecording>(4, 50.0);
    PipelineConfig config = chainOf({"to_float", "log_compression"});
    config.views = {{"values", "", {"out", "to_float"}},
                    {"levels", "", {"out", "log_compression"}}};
    const SnapshotPtr snapshot = instantiate(config, recording->info().frame);
    Engine engine(std::move(recording), snapshot, Backend::Cuda,
                  Engine::Callbacks{[&](std::size_t) { ++images; },
                                    [&](const std::string&) { ++failures; }, [] {}});
    ASSERT_TRUE(waitUntil([&] { return images >= 2; }));
    const auto copyBoth = [&] {
        const auto values = engine.look<PixelsLook>().latest(0);
        const auto levels = engine.look<PixelsLook>().latest(1);
        engine.look<PixelsLook>().want(0);
        engine.look<PixelsLook>().want(1);
        return waitUntil([&] {
            return engine.look<PixelsLook>().latest(0) != values &&
                   engine.look<PixelsLook>().latest(1) != levels;
        });
    };
    ASSERT_TRUE(copyBoth());
    const int shown = images;
    engine.player().step(1);
    ASSERT_TRUE(waitUntil([&] { return images >= shown + 2; }));
    const MemoryCounters before = memoryCounters();
    ASSERT_TRUE(copyBoth());
    const MemoryCounters after = memoryCounters();
    EXPECT_EQ(after.deviceToHost, before.deviceToHost);
    EXPECT_EQ(after.linesToHost, before.linesToHost + 2);
    EXPECT_EQ(after.allocations, before.allocations);
    EXPECT_EQ(engine.look<PixelsLook>().latest(0)->values.size(), 30U);
    EXPECT_NE(engine.look<PixelsLook>().latest(0)->values,
              engine.look<PixelsLook>().latest(1)->values);
    EXPECT_EQ(failures, 0);
}

} // namespace
} // namespace echolux
