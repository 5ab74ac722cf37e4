// SPDX-License-Identifier: GPL-3.0-or-later
// The pixels of shown images on the CPU: of the latest frame, once per request, and of several
// views side by side.
#include "app/session/checked_image.hpp"
#include "app/session/pixels_look.hpp"
#include "app/session/session.hpp"
#include "app/session/uncompressed.hpp"
#include "tests/session/fake_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace echolux {
namespace {

using test::chainOf;
using test::FakeRecording;
using test::waitUntil;

/// The first view shows the recording's values, the second one their magnitudes in dB.
struct TwoViews {
    std::atomic<int> images{0};
    std::unique_ptr<Engine> engine;

    TwoViews() {
        auto recording = std::make_unique<FakeRecording>(4, 50.0);
        PipelineConfig config = chainOf({"to_float", "log_compression"});
        config.views = {{"values", "", {"out", "to_float"}},
                        {"levels", "", {"out", "log_compression"}}};
        const SnapshotPtr snapshot = instantiate(config, recording->info().frame);
        engine = std::make_unique<Engine>(
            std::move(recording), snapshot, Backend::Cpu,
            Engine::Callbacks{[this](std::size_t) { ++images; }, [](const std::string&) {}, [] {}});
        waitUntil([this] { return images >= 2; });
    }
};

TEST(PixelsLook, OfTwoViewsComeSideBySide) {
    TwoViews two;
    EXPECT_EQ(two.engine->look<PixelsLook>().latest(0), nullptr);
    two.engine->look<PixelsLook>().want(0);
    two.engine->look<PixelsLook>().want(1);
    ASSERT_TRUE(waitUntil([&] {
        return two.engine->look<PixelsLook>().latest(0) && two.engine->look<PixelsLook>().latest(1);
    }));
    const ImagePixels& values = *two.engine->look<PixelsLook>().latest(0);
    const ImagePixels& levels = *two.engine->look<PixelsLook>().latest(1);
    EXPECT_EQ(values.asked, 0U);
    EXPECT_EQ(levels.asked, 1U);
    EXPECT_FALSE(values.spec.valueRange.has_value());
    ASSERT_TRUE(levels.spec.valueRange.has_value());
    EXPECT_EQ(levels.spec.valueRange->unit, "dB");
    EXPECT_EQ(values.values.size(), 30U);
    EXPECT_EQ(levels.values.size(), 30U);
    EXPECT_EQ(two.engine->look<PixelsLook>().latest(2), nullptr);
    EXPECT_EQ(two.engine->look<PixelsLook>().latest(1000), nullptr);
}

TEST(PixelsLook, AreCopiedOncePerImageAndOnlyWhenAsked) {
    TwoViews two;
    two.engine->look<PixelsLook>().want(0);
    ASSERT_TRUE(waitUntil([&] { return two.engine->look<PixelsLook>().latest(0) != nullptr; }));
    const auto first = two.engine->look<PixelsLook>().latest(0);
    two.engine->look<PixelsLook>().want(0);
    two.engine->look<PixelsLook>().want(1);
    ASSERT_TRUE(waitUntil([&] { return two.engine->look<PixelsLook>().latest(1) != nullptr; }));
    EXPECT_EQ(two.engine->look<PixelsLook>().latest(0), first) << "of the same image";
    const int shown = two.images;
    two.engine->player().step(1);
    ASSERT_TRUE(waitUntil([&] { return two.images > shown; }));
    EXPECT_EQ(two.engine->look<PixelsLook>().latest(0), first) << "nothing was asked";
    two.engine->look<PixelsLook>().want(0);
    ASSERT_TRUE(waitUntil([&] { return two.engine->look<PixelsLook>().latest(0) != first; }));
    EXPECT_NE(two.engine->look<PixelsLook>().latest(0)->values, first->values);
}

TEST(PixelsLook, HasNoneOfAViewThatIsNotThere) {
    TwoViews two;
    EXPECT_EQ(two.engine->look<PixelsLook>().latest(3), nullptr);
    two.engine->look<PixelsLook>().want(3); // no such view
    two.engine->look<PixelsLook>().want(kMostViews);
    two.engine->shownRaw(); // a frame boundary
    EXPECT_EQ(two.engine->look<PixelsLook>().latest(0), nullptr);
}

TEST(PixelsLook, OfLevelsComeWithTheirAmplitudes) {
    auto recording = openRecording(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5");
    const SnapshotPtr usual = imagingSnapshot(recording->info().frame, std::nullopt);
    const SnapshotPtr narrow = withValue(*usual, "log_compression", "range_db", 20.0);
    std::atomic<int> images{0};
    Engine engine(
        std::move(recording), narrow, Backend::Cpu,
        Engine::Callbacks{[&](std::size_t) { ++images; }, [](const std::string&) {}, [] {}});
    ASSERT_TRUE(waitUntil([&] { return images >= 1; }));
    engine.look<PixelsLook>().want(0);
    ASSERT_TRUE(waitUntil([&] { return engine.look<PixelsLook>().latest(0) != nullptr; }));
    const ImagePixels& copied = *engine.look<PixelsLook>().latest(0);
    ASSERT_EQ(copied.amplitudes.size(), copied.values.size());
    std::size_t below = 0;
    std::vector<float> restored = copied.values;
    ASSERT_TRUE(restoreLevels(restored, copied.amplitudes));
    for (std::size_t n = 0; n < restored.size(); ++n) {
        if (restored[n] < -20.0F) ++below;
        ASSERT_NEAR(std::max(restored[n], -20.0F), copied.values[n], 0.05F) << n;
    }
    EXPECT_GT(below, restored.size() / 10)
        << "most pixels are darker than the 20 dB that are shown";
}

/// The second view compresses an envelope of its own.
TEST(PixelsLook, EachViewHasTheAmplitudesOfItsOwnLevels) {
    auto recording = openRecording(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5");
    const FrameSpec& raw = recording->info().frame;
    const SnapshotPtr usual = imagingSnapshot(raw, fittedPipeline("compounding", raw));
    const SnapshotPtr narrow = withValue(*usual, "log_middle", "range_db", 20.0);
    std::atomic<int> images{0};
    Engine engine(
        std::move(recording), narrow, Backend::Cpu,
        Engine::Callbacks{[&](std::size_t) { ++images; }, [](const std::string&) {}, [] {}});
    ASSERT_TRUE(waitUntil([&] { return images >= 2; }));
    auto& look = engine.look<PixelsLook>();
    look.want(1);
    ASSERT_TRUE(waitUntil([&] { return look.latest(1) != nullptr; }));
    EXPECT_EQ(std::ranges::min(look.latest(1)->values), -20.0F);
    EXPECT_LT(std::ranges::min(look.latest(1)->wholeRange()), -40.0F);
}

/// testdata/sector.h5: what `echolux measure` measures, see FrameImager.
TEST(PixelsLook, OfASectorComeWithTheirSamplesAlongTheBeams) {
    auto recording = openRecording(ECHOLUX_SOURCE_DIR "/testdata/sector.h5");
    const SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, std::nullopt);
    std::vector<std::byte> raw(recording->info().frame.bytes());
    recording->readFrame(0, raw);
    const auto behind = linesBehind(*snapshot, 0);
    ASSERT_TRUE(behind && behind->amplitudes);
    Runner runner(Backend::Cpu, 1);
    runner.apply(snapshot, {behind->lines, *behind->amplitudes});
    const int slot = runner.enqueue({.raw = raw.data(), .frame = 0});
    runner.wait(slot);
    const auto valuesOf = [&](const std::string& name) {
        const ConstTensorView output = runner.keptOutput(slot, name);
        return std::vector<float>(output.as<float>(), output.as<float>() + output.spec->count());
    };
    std::atomic<int> images{0};
    Engine engine(
        std::move(recording), snapshot, Backend::Cpu,
        Engine::Callbacks{[&](std::size_t) { ++images; }, [](const std::string&) {}, [] {}});
    ASSERT_TRUE(waitUntil([&] { return images >= 1; }));
    engine.look<PixelsLook>().want(0);
    ASSERT_TRUE(waitUntil([&] { return engine.look<PixelsLook>().latest(0) != nullptr; }));
    const ImagePixels& copied = *engine.look<PixelsLook>().latest(0);
    ASSERT_TRUE(copied.lines);
    EXPECT_NE(copied.lines->spec.sector, nullptr);
    EXPECT_EQ(copied.lines->spec.axes, behind->spec.axes);
    EXPECT_EQ(copied.lines->values, valuesOf(behind->lines));
    EXPECT_EQ(copied.lines->amplitudes, valuesOf(*behind->amplitudes));
    EXPECT_EQ(std::ranges::max(copied.lines->wholeRange()), 0.0F);
}

} // namespace
} // namespace echolux
