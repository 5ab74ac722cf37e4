// SPDX-License-Identifier: GPL-3.0-or-later
// A background averaged while a recording plays: each frame once, from the first that comes on, and
// no line too many.
#include "app/session/checked_image.hpp"
#include "app/session/live_background.hpp"
#include "tests/session/recording_sinks.hpp"

#include <cstddef>

namespace echolux {
namespace {

using test::Watched;

constexpr const char* kBackgroundVolume = ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5";
constexpr std::int64_t kSamples = 512;

std::unique_ptr<Watched> volume(std::size_t runBytes = 0) {
    auto recording = openRecording(kBackgroundVolume);
    SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, {});
    return std::make_unique<Watched>(std::move(recording), std::move(snapshot), runBytes);
}

/// Mean of the codes of `lines` lines from frame `first` on, read from the file.
std::vector<double> meanOfFile(std::int64_t first, std::int64_t lines) {
    const auto recording = openRecording(kBackgroundVolume);
    const FrameSpec& spec = recording->info().frame;
    EXPECT_EQ(spec.dtype, DType::U8);
    EXPECT_EQ(spec.sizeOf(AxisName::Sample), kSamples);
    const std::int64_t each = spec.count() / kSamples;
    std::vector<double> sum(kSamples, 0.0);
    std::vector<std::byte> raw(spec.bytes());
    for (std::int64_t line = 0; line < lines; ++line) {
        if (line % each == 0) recording->readFrame(first + line / each, raw);
        for (std::int64_t i = 0; i < kSamples; ++i) {
            const auto at = static_cast<std::size_t>(line % each * kSamples + i);
            sum[static_cast<std::size_t>(i)] +=
                std::to_integer<int>(raw[at]) / static_cast<double>(lines);
        }
    }
    return sum;
}

void expectMean(const std::vector<float>& got, const std::vector<double>& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], wanted[i], 1e-3) << i;
}

TEST(LiveBackground, IsTheMeanOfTheLinesThatCome) {
    for (const std::size_t runBytes : {std::size_t{0}, std::size_t{8} * 64 * kSamples}) {
        const auto live = volume(runBytes);
        const std::int64_t each = live->engine->info().frame.count() / kSamples;
        const std::int64_t lines = 5 * each / 2; // the last frame is used in part
        LiveBackground background(live->engine->info().frame, lines);
        live->engine->addSink(background);
        live->playOnce();
        std::vector<double> shares;
        EXPECT_TRUE(background.average({}, [&](double share) { shares.push_back(share); }));
        live->engine->removeSink(background);
        expectMean(background.mean(), meanOfFile(1, lines)); // the first frame was there before
        ASSERT_FALSE(shares.empty());
        EXPECT_TRUE(std::ranges::is_sorted(shares));
        EXPECT_EQ(shares.back(), 1.0);
    }
}

TEST(LiveBackground, EndsWhenAsked) {
    const auto live = volume();
    std::stop_source stop;
    const std::uint64_t processed = live->processed();
    std::thread asking([&] { stop.request_stop(); }); // frozen: no frame comes
    EXPECT_TRUE(averageNextLines(*live->engine, 1000, stop.get_token(), [](double) {}).empty());
    asking.join();
    EXPECT_EQ(live->processed(), processed);
    EXPECT_TRUE(live->seeks(3)) << "no sink is left";
}

TEST(LiveBackground, EndsWithTheFrames) {
    LiveBackground background(openRecording(kBackgroundVolume)->info().frame, 10);
    background.end();
    EXPECT_FALSE(background.average({}, [](double) {}));
    EXPECT_THROW(static_cast<void>(background.mean()), Error);
}

} // namespace
} // namespace echolux
