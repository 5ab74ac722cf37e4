// SPDX-License-Identifier: GPL-3.0-or-later
// The bundled OCT recordings through the live engine: the picked A-scan at each step against the
// pipeline's own frames, the volume and its en face image, rates.
#include "app/session/checked_image.hpp"
#include "app/session/column/picked_column.hpp"
#include "app/session/offline/offline.hpp"
#include "app/session/session.hpp"
#include "gpu/oct/oct_params.hpp"
#include "tests/session/fake_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace echolux {
namespace {

using test::waitUntil;

constexpr const char* kCine = ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5";
constexpr const char* kColumnVolume = ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5";

struct Live {
    std::atomic<bool> failed{false};
    std::unique_ptr<Recording> again; ///< the same file, for comparison
    SnapshotPtr snapshot;
    std::unique_ptr<Engine> engine;

    explicit Live(const char* path) : again(openRecording(path)) {
        auto recording = openRecording(path);
        snapshot = imagingSnapshot(recording->info().frame, {});
        engine = std::make_unique<Engine>(
            std::move(recording), snapshot, Backend::Cpu,
            Engine::Callbacks{[](std::size_t) {}, [this](const std::string&) { failed = true; },
                              [] {}});
    }
    std::vector<float> lineOf(const std::optional<std::string>& stage, std::int64_t line,
                              std::int64_t bscan = 0) {
        const HostFrameData frame = processFrame(*again, snapshot, Backend::Cpu, bscan, stage);
        const auto length = static_cast<std::size_t>(frame.spec.axes.back().size);
        std::vector<float> values(length);
        std::memcpy(values.data(),
                    frame.bytes.data() + static_cast<std::size_t>(line) * length * sizeof(float),
                    length * sizeof(float));
        return values;
    }
    /// On the even grid, which k_linearize leaves to the inverse transform.
    std::vector<float> remappedOf(std::int64_t line, std::int64_t bscan = 0) {
        return oct::onGrid(oct::griddingTable(snapshot->stage("k_linearize").plan.outputs[0]),
                           lineOf("k_linearize", line, bscan));
    }
};

TEST(OctColumn, RawRemappedAndFinishedAreTheFramesOwn) {
    Live live(kCine);
    const Axis lateral = *live.engine->info().frame.find(AxisName::Lateral);
    live.engine->look<PickedColumn>().pick(lateral.origin + 70.2 * lateral.spacing);
    ASSERT_TRUE(waitUntil([&] {
        const auto column = live.engine->look<PickedColumn>().latest();
        return column && !column->ascan.empty();
    }));
    const ColumnData column = *live.engine->look<PickedColumn>().latest();
    EXPECT_TRUE(column.oct);
    EXPECT_EQ(column.line, 70);

    const FrameSpec& raw = live.engine->info().frame;
    std::vector<std::byte> frame(raw.bytes());
    live.again->readFrame(0, frame);
    const auto samples = static_cast<std::size_t>(raw.axes.back().size);
    ASSERT_EQ(raw.dtype, DType::Packed12); // two samples in three bytes, low bits first
    ASSERT_EQ(column.rf.size(), samples);
    for (std::size_t i = 0; i < samples; ++i) {
        const std::size_t firstBit = 12 * (70 * samples + i);
        std::uint16_t twoBytes = 0;
        std::memcpy(&twoBytes, frame.data() + firstBit / 8, sizeof twoBytes);
        const int code = twoBytes >> firstBit % 8 & 0xfff;
        ASSERT_EQ(column.rf[i], static_cast<float>(code - raw.codeOffset)) << i;
    }
    const std::vector<float> remapped = live.remappedOf(70);
    ASSERT_EQ(column.remapped.size(), remapped.size());
    for (std::size_t i = 0; i < remapped.size(); ++i)
        ASSERT_NEAR(column.remapped[i], remapped[i], 1e-3F * (1.0F + std::abs(remapped[i])));
    EXPECT_EQ(column.ascan, live.lineOf({}, 70));
    EXPECT_EQ(column.ascanUnit, "dB");
    EXPECT_EQ(column.depthUnit, "m");
    ASSERT_TRUE(column.peak);
    const auto nearest = static_cast<std::size_t>(std::lround(column.peak->position));
    EXPECT_NEAR(column.ascan[nearest], column.peak->db, 1.5);
    EXPECT_FALSE(live.failed);
}

TEST(OctColumn, ABackgroundOfTheFirstLinesIsThatOfTheFrame) {
    Live live(kCine);
    live.snapshot = withValue(*live.snapshot, "background_subtract", "source", "frame_mean");
    live.snapshot =
        withValue(*live.snapshot, "background_subtract", "lines", ParamValue(std::int64_t{5}));
    live.engine->post(live.snapshot);
    const Axis lateral = *live.engine->info().frame.find(AxisName::Lateral);
    for (const std::int64_t line : {2, 70}) {
        const std::vector<float> wanted = live.remappedOf(line);
        live.engine->look<PickedColumn>().pick(lateral.origin +
                                               static_cast<double>(line) * lateral.spacing);
        EXPECT_TRUE(waitUntil([&] {
            const auto column = live.engine->look<PickedColumn>().latest();
            return column && column->remapped.size() == wanted.size() &&
                   std::ranges::equal(column->remapped, wanted, [](float a, float b) {
                       return std::abs(a - b) <= 1e-3F * (1.0F + std::abs(b));
                   });
        })) << line;
    }
}

TEST(OctColumn, OfACorrectedScanTheRawLineIsTheOneThatWasRecordedThere) {
    Live live(kColumnVolume);
    const Axis lateral = *live.engine->info().frame.find(AxisName::Lateral);
    const SnapshotPtr active = withBypass(*live.snapshot, "scan_correction", false);
    const auto shows = [&](std::int64_t recorded) { // of B-scan 1, where line 20 is picked
        return waitUntil([&] {
            const auto column = live.engine->look<PickedColumn>().latest();
            return column && column->frame == 1 && column->line == recorded;
        });
    };
    live.engine->post(withValue(*active, "scan_correction", "flip", "odd"));
    live.engine->player().seek(1);
    live.engine->look<PickedColumn>().pick(lateral.origin + 20.0 * lateral.spacing);
    ASSERT_TRUE(shows(lateral.size - 21));
    const std::vector<float> line = live.remappedOf(lateral.size - 21, 1);
    const std::vector<float> remapped = live.engine->look<PickedColumn>().latest()->remapped;
    ASSERT_EQ(remapped.size(), line.size());
    for (std::size_t i = 0; i < remapped.size(); ++i)
        ASSERT_NEAR(remapped[i], line[i], 1e-3F * (1.0F + std::abs(line[i])));

    live.engine->post(withValue(*active, "scan_correction", "unwarp", ParamValue(true)));
    const double last = static_cast<double>(lateral.size - 1);
    const double equallySpaced = 20.0 / last - 0.5;
    const double inTime = std::asin(2.0 * equallySpaced) / std::numbers::pi; // half a period
    const std::int64_t unwarped = std::lround((inTime + 0.5) * last);
    ASSERT_NE(unwarped, 20);
    EXPECT_TRUE(shows(unwarped));
    live.engine->post(withBypass(*active, "scan_correction", true));
    EXPECT_TRUE(shows(20));
}

TEST(OctColumn, WithoutResamplingThereIsNoRemappedSpectrum) {
    Live live(kCine);
    live.engine->post(withBypass(*live.snapshot, "k_linearize", true));
    live.engine->look<PickedColumn>().pick(0.0);
    ASSERT_TRUE(waitUntil([&] {
        const auto column = live.engine->look<PickedColumn>().latest();
        return column && !column->ascan.empty() && column->remapped.empty();
    }));
}

TEST(OctColumn, PickedAfterASweepItIsTheShownFrames) {
    Live live(kColumnVolume);
    const auto hasLastBscan = [&] {
        const DisplayVolume* volume = live.engine->volume().acquire();
        if (volume == nullptr) return false;
        const std::int64_t slice = volume->shape.slice();
        const Half* last = volume->voxels + (volume->shape.bscans - 1) * slice;
        const bool came = std::any_of(last, last + slice, [&](Half v) { return v != last[0]; });
        live.engine->volume().release(nullptr);
        return came;
    };
    ASSERT_TRUE(waitUntil(hasLastBscan)) << "frozen, the volume is filled in";
    const Axis lateral = *live.engine->info().frame.find(AxisName::Lateral);
    live.engine->look<PickedColumn>().pick(lateral.origin + 31.0 * lateral.spacing);
    ASSERT_TRUE(waitUntil([&] { return live.engine->look<PickedColumn>().latest() != nullptr; }));
    EXPECT_EQ(live.engine->look<PickedColumn>().latest()->frame, 0);
    EXPECT_EQ(live.engine->look<PickedColumn>().latest()->ascan, live.lineOf({}, 31));
    EXPECT_FALSE(live.failed);
}

TEST(OctVolume, FillsFromTheRecording) {
    Live live(kColumnVolume);
    EXPECT_TRUE(live.engine->volume().active());
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    ASSERT_TRUE(waitUntil([&] { return live.engine->volume().volumesDone() > 0; }));
    ASSERT_TRUE(waitUntil([&] { return live.engine->statistics().volumesPerS > 0.0; }));
    const Statistics now = live.engine->statistics();
    EXPECT_NEAR(now.ascansPerS, 64.0 * now.processedPerS, 1e-6 * now.ascansPerS);
    EXPECT_NEAR(now.volumesPerS, now.processedPerS / 48.0, 1e-6);
    const DisplayVolume* volume = nullptr;
    ASSERT_TRUE(waitUntil([&] { return (volume = live.engine->volume().acquire()) != nullptr; }));
    EXPECT_EQ(volume->shape.bscans, 48);
    EXPECT_EQ(volume->shape.lines, 64);
    EXPECT_EQ(volume->spec.axes[0].spacing, 16e-6);
    live.engine->volume().release(nullptr);
    EXPECT_FALSE(live.failed);
}

} // namespace
} // namespace echolux
