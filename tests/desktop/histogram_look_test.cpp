// SPDX-License-Identifier: GPL-3.0-or-later
// The histogram of the shown image on the CPU: of the latest frame, of the shown B-scan, once per
// request, and none without one.
#include "app/session/session.hpp"
#include "app/tools/histogram/look.hpp"
#include "tests/session/fake_recording.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

namespace echolux {
namespace {

using test::chainOf;
using test::FakeEchoes;
using test::FakeRecording;
using test::waitUntil;

using Histogram = std::shared_ptr<const ImageHistogram>;

struct CountedPixels {
    std::atomic<int> images{0};
    std::unique_ptr<Engine> engine;

    explicit CountedPixels(std::unique_ptr<Recording> recording) {
        const SnapshotPtr snapshot = instantiate(chainOf({"to_float"}), recording->info().frame);
        engine = std::make_unique<Engine>(
            std::move(recording), snapshot, Backend::Cpu,
            Engine::Callbacks{[this](std::size_t) { ++images; }, [](const std::string&) {}, [] {}});
        waitUntil([this] { return images >= 1; });
    }
    /// The next count after `before`.
    Histogram next(const HistogramRequest& request, const Histogram& before) {
        engine->look<HistogramLook>().want(request);
        EXPECT_TRUE(waitUntil([&] { return engine->look<HistogramLook>().latest() != before; }));
        return engine->look<HistogramLook>().latest();
    }
};

std::uint64_t sumOf(const HistogramCounts& counts) {
    return std::accumulate(std::begin(counts.of), std::end(counts.of), std::uint64_t{0});
}

/// A bin per unit, the first one around 0.
constexpr HistogramScale kUnits{-0.5F, 255.5F, -1.0F};

TEST(HistogramLook, CountsTheLatestFrame) {
    CountedPixels counted(std::make_unique<FakeRecording>(4, 50.0));
    const Histogram first = counted.next({0, kUnits}, nullptr);
    EXPECT_EQ(sumOf(first->counts), 30U) << "of an image of 6 x 5";
    const int shown = counted.images;
    counted.engine->player().step(1);
    ASSERT_TRUE(waitUntil([&] { return counted.images > shown; }));
    const Histogram second = counted.next({0, kUnits}, first);
    EXPECT_EQ(second->counts.of[0], 0U);
    EXPECT_EQ(second->counts.of[2], 2U) << "1 + 1 / 1 and 1 + 1 / 2";
    EXPECT_EQ(second->counts.of[1], 28U);
}

TEST(HistogramLook, CountsNothingUnasked) {
    CountedPixels counted(std::make_unique<FakeRecording>(4, 50.0));
    counted.engine->player().play();
    ASSERT_TRUE(waitUntil([&] { return counted.images >= 5; }));
    EXPECT_EQ(counted.engine->look<HistogramLook>().latest(), nullptr);
}

TEST(HistogramLook, CountsTheSameImageOnce) {
    CountedPixels counted(std::make_unique<FakeRecording>(4, 50.0));
    const Histogram first = counted.next({0, kUnits}, nullptr);
    counted.engine->look<HistogramLook>().want(HistogramRequest{0, kUnits});
    const HistogramScale other{0.0F, 1.0F, -1.0F};
    const Histogram second = counted.next({0, other}, first);
    EXPECT_EQ(second->asked.scale, other) << "the request before it brought no new count";
}

TEST(HistogramLook, HasNoneOfAViewThatIsNotThere) {
    CountedPixels counted(std::make_unique<FakeRecording>(4, 50.0));
    const Histogram first = counted.next({0, kUnits}, nullptr);
    counted.engine->look<HistogramLook>().want(HistogramRequest{1, kUnits});
    counted.engine->shownRaw(); // a frame boundary
    EXPECT_EQ(counted.engine->look<HistogramLook>().latest(), first);
}

TEST(HistogramLook, CountsTheShownSlice) {
    CountedPixels counted(std::make_unique<FakeEchoes>(false));
    const HistogramScale scale{-60.5F, 3.5F, -200.0F};
    Histogram before;
    for (const std::int64_t slice : {2, 4}) {
        counted.engine->mailbox().showBscan(slice);
        before = counted.next({0, scale}, before);
        HistogramCounts expected;
        for (const float value : FakeEchoes::slice(0, slice))
            ++expected.of[static_cast<int>((value + 60.5F) * 4.0F)];
        EXPECT_EQ(before->counts, expected) << "slice " << slice;
    }
}

} // namespace
} // namespace echolux
