// SPDX-License-Identifier: GPL-3.0-or-later
// The picked column in each view of a pipeline against the views' own frames.
#include "app/session/checked_image.hpp"
#include "app/session/column/picked_column.hpp"
#include "app/session/offline/offline.hpp"
#include "app/session/session.hpp"
#include "tests/session/fake_recording.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace echolux {
namespace {

using test::waitUntil;

constexpr const char* kPhantomCine = ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5";

struct LiveViews {
    std::unique_ptr<Recording> again; ///< the same file, for comparison
    SnapshotPtr snapshot;
    std::unique_ptr<Engine> engine;

    explicit LiveViews(const PipelineConfig& config) : again(openRecording(kPhantomCine)) {
        auto recording = openRecording(kPhantomCine);
        snapshot = imagingSnapshot(recording->info().frame, config);
        engine = std::make_unique<Engine>(
            std::move(recording), snapshot, Backend::Cpu,
            Engine::Callbacks{[](std::size_t) {},
                              [](const std::string& why) { ADD_FAILURE() << why; }, [] {}});
    }
    /// Of a stage's frame of two axes.
    std::vector<float> frameOf(const std::string& stage) {
        const HostFrameData frame = processFrame(*again, snapshot, Backend::Cpu, 0, stage);
        std::vector<float> values(frame.bytes.size() / sizeof(float));
        std::memcpy(values.data(), frame.bytes.data(), frame.bytes.size());
        return values;
    }
    ColumnData picked(double place, std::size_t views) {
        engine->look<PickedColumn>().pick(place);
        EXPECT_TRUE(waitUntil([&] {
            const auto column = engine->look<PickedColumn>().latest();
            return column && column->lateralM == place && column->views.size() == views;
        }));
        const auto column = engine->look<PickedColumn>().latest();
        return column != nullptr ? *column : ColumnData{};
    }
};

TEST(ViewLines, AreTheChannelInEachViewOfChannelData) {
    LiveViews live(shippedPipeline("hilbert_lab"));
    const ColumnData column = live.picked(40.0, 3);
    EXPECT_EQ(column.channel, 40);
    ASSERT_EQ(column.views.size(), 3U);
    const char* const stages[] = {"one_transmit", "hilbert_part", "envelope"};
    for (std::size_t view = 0; view < 3; ++view) {
        const ViewLine& line = column.views[view];
        EXPECT_EQ(line.view, live.snapshot->views[view].id);
        EXPECT_EQ(line.along.name, AxisName::Sample);
        const auto count = static_cast<std::size_t>(line.along.size);
        const std::vector<float> frame = live.frameOf(stages[view]);
        ASSERT_EQ(line.values.size(), count);
        EXPECT_TRUE(std::equal(line.values.begin(), line.values.end(),
                               frame.begin() + static_cast<std::ptrdiff_t>(40 * count)))
            << line.view;
    }
    double greatest = 0.0;
    for (std::size_t n = 0; n < column.views[0].values.size(); ++n) {
        const double amplitude = column.views[2].values[n];
        greatest = std::max(greatest, amplitude);
        ASSERT_NEAR(std::hypot(column.views[0].values[n], column.views[1].values[n]), amplitude,
                    1e-5);
    }
    EXPECT_GT(greatest, 1e-3);
}

TEST(ViewLines, AreTheColumnOfImagesWhoseRowsLieApart) {
    LiveViews live(shippedPipeline("compounding"));
    const FrameSpec& image = live.snapshot->output();
    const Axis& lateral = *image.find(AxisName::Lateral);
    const ColumnData column =
        live.picked(lateral.origin + 12.0 * lateral.spacing, live.snapshot->views.size());
    ASSERT_EQ(column.views.size(), live.snapshot->views.size());
    const ViewLine& line = column.views[0];
    EXPECT_EQ(line.along.name, AxisName::Depth);
    ASSERT_TRUE(line.range);
    EXPECT_EQ(line.range->unit, "dB");
    const std::vector<float> frame = live.frameOf("log_compression");
    for (std::size_t row = 0; row < line.values.size(); ++row)
        ASSERT_EQ(line.values[row], frame[row * static_cast<std::size_t>(lateral.size) + 12]);
}

/// A time is no lateral place: the M-mode beside the image has no such column.
TEST(ViewLines, OfAnImageLeaveOutItsMMode) {
    LiveViews live(shippedPipeline("m_mode"));
    const ColumnData column = live.picked(0.0, 1);
    ASSERT_EQ(column.views.size(), 1U);
    EXPECT_EQ(column.views[0].view, "image");
    EXPECT_FALSE(column.rf.empty());
}

TEST(ViewLines, OfAnMModeAloneAreALineOfItAndNoRecordedChannel) {
    PipelineConfig config = shippedPipeline("m_mode");
    config.views.erase(config.views.begin());
    LiveViews live(config);
    const ColumnData column = live.picked(0.0, 1);
    ASSERT_EQ(column.views.size(), 1U);
    EXPECT_TRUE(column.rf.empty());
    const ViewLine& line = column.views[0];
    EXPECT_EQ(line.along.name, AxisName::Depth);
    const std::vector<float> frame = live.frameOf("m_mode");
    const auto lines = static_cast<std::size_t>(live.snapshot->output().axes[1].size);
    for (std::size_t row = 0; row < line.values.size(); ++row)
        ASSERT_EQ(line.values[row], frame[(row + 1) * lines - 1]);
}

TEST(ViewLines, OfOneImageAreNotRead) {
    LiveViews live(shippedPipeline("rf"));
    EXPECT_TRUE(live.picked(0.0, 0).views.empty());
}

} // namespace
} // namespace echolux
