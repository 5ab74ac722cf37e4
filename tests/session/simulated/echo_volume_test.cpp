// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes of echoes, live: a frame is a whole volume of which one slice is shown; slices that a
// sweep puts together; a matrix array's recording.
#include "app/session/checked_image.hpp"
#include "app/session/column/picked_column.hpp"
#include "app/session/offline/offline.hpp"
#include "tests/session/live_volume.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

namespace echolux {
namespace {

using test::chainOf;
using test::FakeEchoes;
using test::LiveVolume;
using test::waitUntil;

constexpr std::int64_t kMiddle = FakeEchoes::kSlices / 2;

LiveVolume liveEchoes(bool swept) {
    return LiveVolume(Backend::Cpu, std::make_unique<FakeEchoes>(swept), chainOf({"to_float"}));
}

bool becomes(LiveVolume& live, const std::vector<float>& expected) {
    return waitUntil([&] {
        return std::ranges::equal(live.voxels(), expected,
                                  [](float a, float b) { return std::abs(a - b) < 0.04F; });
    });
}

TEST(EchoVolume, ShowsTheMiddleSliceUntilAnotherOneIsChosen) {
    LiveVolume live = liveEchoes(false);
    EXPECT_EQ(live.slice(), FakeEchoes::slice(0, kMiddle));
    EXPECT_EQ(live.engine->mailbox().shownBscan(), kMiddle);
    live.engine->mailbox().showBscan(4);
    EXPECT_EQ(live.slice(), FakeEchoes::slice(0, 4));
    EXPECT_EQ(live.engine->statistics().framesProcessed, 1U) << "of the volume on screen";
    live.engine->player().seek(7);
    EXPECT_EQ(live.slice(), FakeEchoes::slice(7, 4));
    EXPECT_EQ(live.engine->mailbox().shownFrame(), 7);
    EXPECT_EQ(live.engine->mailbox().shownBscan() % FakeEchoes::kSlices, 4);
}

TEST(EchoVolume, EachFrameReplacesTheWholeVolume) {
    LiveVolume live = liveEchoes(false);
    EXPECT_TRUE(becomes(live, FakeEchoes::voxels(0)));
    const auto spec = live.engine->volume().spec();
    ASSERT_TRUE(spec);
    EXPECT_EQ(spec->axes[0], (Axis{AxisName::Elevation, 5, 0.5e-3, -1e-3, "m"}));
    EXPECT_EQ(spec->axes[1].name, AxisName::Lateral);
    EXPECT_EQ(spec->axes[2].name, AxisName::Depth);
    live.engine->player().step(1);
    EXPECT_TRUE(becomes(live, FakeEchoes::voxels(1)));
    live.engine->player().seek(6);
    EXPECT_TRUE(becomes(live, FakeEchoes::voxels(6)));
    EXPECT_EQ(live.engine->volume().volumesDone(), 3U);
    EXPECT_FALSE(live.engine->volumeProgress()) << "nothing is missing";
    EXPECT_EQ(live.failures, 0);
}

/// [elevation][lateral], between two depths.
TEST(EchoVolume, TheCPlaneIsAcrossDepth) {
    LiveVolume live = liveEchoes(false);
    ASSERT_TRUE(becomes(live, FakeEchoes::voxels(0)));
    live.engine->volume().setEnFace({Projection::Maximum, 2e-4, 2e-4});
    std::vector<float> expected;
    for (std::int64_t slice = 0; slice < FakeEchoes::kSlices; ++slice) {
        for (std::int64_t lateral = 0; lateral < FakeEchoes::kLaterals; ++lateral)
            expected.push_back(FakeEchoes::at(0, slice, 2, lateral));
    }
    EXPECT_TRUE(waitUntil([&] { return live.enFace() == expected; }));
}

/// [elevation][depth], at one lateral place; only while somebody wants it.
TEST(EchoVolume, TheSidePlaneIsAcrossLateral) {
    LiveVolume live = liveEchoes(false);
    ASSERT_TRUE(becomes(live, FakeEchoes::voxels(0)));
    EXPECT_TRUE(live.side().empty());
    const auto planeOf = [](std::int64_t volume, std::int64_t lateral) {
        std::vector<float> plane;
        for (std::int64_t slice = 0; slice < FakeEchoes::kSlices; ++slice) {
            for (std::int64_t depth = 0; depth < FakeEchoes::kDepths; ++depth)
                plane.push_back(FakeEchoes::at(volume, slice, depth, lateral));
        }
        return plane;
    };
    live.engine->volume().showSide(1e-4);
    EXPECT_TRUE(waitUntil([&] { return live.side() == planeOf(0, 1); }));
    live.engine->volume().showSide(1.0);
    EXPECT_TRUE(waitUntil([&] { return live.side() == planeOf(0, 3); })) << "the last line";
    live.engine->player().step(1);
    EXPECT_TRUE(waitUntil([&] { return live.side() == planeOf(1, 3); }));
    live.engine->volume().showSide(std::nullopt);
    EXPECT_TRUE(waitUntil([&] { return !live.engine->volume().hasWork(); }));
    live.side();
    live.engine->player().step(1);
    ASSERT_TRUE(becomes(live, FakeEchoes::voxels(2)));
    EXPECT_TRUE(live.side().empty());
}

TEST(EchoVolume, SteadyStateAllocatesNothing) {
    LiveVolume live = liveEchoes(false);
    live.engine->player().setSpeed(0.0);
    live.engine->player().play();
    ASSERT_TRUE(waitUntil([&] { return live.engine->volume().volumesDone() > 20; }));
    live.engine->resetCounters();
    const std::uint64_t from = live.engine->volume().volumesDone();
    ASSERT_TRUE(waitUntil([&] {
        live.readBy(live.engine->volume());
        return live.engine->volume().volumesDone() > from + 50;
    }));
    EXPECT_EQ(live.engine->statistics().allocations, 0U);
}

TEST(EchoVolume, VolumesPerSecondAreThoseOfTheFrames) {
    Statistics whole;
    whole.processedPerS = 30.0;
    FakeEchoes volumes(false);
    addVolumeRate(whole, *instantiate(chainOf({"to_float"}), volumes.info().frame));
    EXPECT_DOUBLE_EQ(whole.volumesPerS, 30.0);
    Statistics swept;
    swept.processedPerS = 30.0;
    FakeEchoes slices(true);
    addVolumeRate(swept, *instantiate(chainOf({"to_float"}), slices.info().frame));
    EXPECT_DOUBLE_EQ(swept.volumesPerS, 6.0);
}

/// Slices [depth][lateral], five to a volume: collected as played, filled in while frozen.
TEST(EchoVolume, SlicesOfASweepMakeVolumes) {
    LiveVolume live = liveEchoes(true);
    EXPECT_TRUE(becomes(live, FakeEchoes::voxels(0))) << "filled in beside the shown slice";
    const auto spec = live.engine->volume().spec();
    ASSERT_TRUE(spec);
    EXPECT_EQ(spec->axes[0], (Axis{AxisName::Elevation, 5, 0.5e-3, 0.0, "m"}));
    EXPECT_EQ(live.slice(), FakeEchoes::slice(0, 0));
    live.engine->player().seek(8);
    EXPECT_TRUE(becomes(live, FakeEchoes::voxels(1)));
    EXPECT_EQ(live.slice(), FakeEchoes::slice(1, 3));
}

/// The bundled matrix array, coarse.
class MatrixArray : public testing::Test {
protected:
    static std::unique_ptr<Recording> open() {
        return openRecording(ECHOLUX_SOURCE_DIR "/testdata/volume_echoes.h5");
    }
    static SnapshotPtr coarse(SnapshotPtr from) {
        for (const auto& [key, value] : {std::pair{"pixel_lateral", 2.4e-3},
                                         {"pixel_elevation", 1e-3},
                                         {"pixel_depth", 1.6e-3}})
            from = withValue(*from, "beamform", key, value);
        return from;
    }
    static std::vector<float> imageOf(const SnapshotPtr& snapshot) {
        const HostFrameData image = processFrame(*open(), snapshot, Backend::Cpu, 0);
        EXPECT_EQ(image.spec.axes, snapshot->output().axes);
        const auto* values = reinterpret_cast<const float*>(image.bytes.data());
        return {values, values + image.spec.count()};
    }
    static std::vector<float> sliceOf(const FrameSpec& image, const std::vector<float>& pixels,
                                      std::int64_t slice) {
        const std::int64_t each = image.count() / image.axes.front().size;
        const auto first = pixels.begin() + slice * each;
        return {first, first + each};
    }
    LiveVolume live{Backend::Cpu, open(),
                    toConfig(*coarse(imagingSnapshot(open()->info().frame, {})))};
};

/// What the simulator wrote down: "(-5, 0, 15) mm; ...", lateral, elevation, depth.
std::vector<Point> pointsOf(const RecordingInfo& info) {
    const auto note =
        std::ranges::find(info.notes, "points", &std::pair<std::string, std::string>::first);
    std::vector<Point> points;
    if (note == info.notes.end()) return points;
    std::istringstream text(note->second);
    char mark = 0;
    for (Point p; text >> mark && mark == '(';) {
        text >> p.x >> mark >> p.y >> mark >> p.z;
        text.ignore(64, ';');
        points.push_back({p.x * 1e-3, p.y * 1e-3, p.z * 1e-3});
    }
    return points;
}

TEST(EchoVolume, TheBundledMatrixArrayIsImagedWithAllItsPoints) {
    const auto recording = openRecording(ECHOLUX_SOURCE_DIR "/testdata/volume_echoes.h5");
    const std::vector<Point> points = pointsOf(recording->info());
    ASSERT_EQ(points.size(), 12U);
    const SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, {});
    const FrameSpec& image = snapshot->output();
    const auto spans = [&](AxisName name, double place) {
        const Axis& axis = *image.find(name);
        const double last = axis.origin + static_cast<double>(axis.size - 1) * axis.spacing;
        return axis.origin <= place && place <= last;
    };
    for (const Point& p : points) {
        EXPECT_TRUE(spans(AxisName::Lateral, p.x)) << p.x;
        EXPECT_TRUE(spans(AxisName::Elevation, p.y)) << p.y;
        EXPECT_TRUE(spans(AxisName::Depth, p.z)) << p.z;
    }
}

TEST_F(MatrixArray, SlicesAreThoseOfTheImage) {
    const SnapshotPtr snapshot = live.engine->snapshot();
    const FrameSpec& image = snapshot->output();
    const std::vector<float> pixels = imageOf(snapshot);
    const std::int64_t slices = image.axes.front().size;
    ASSERT_GT(slices, 4);
    EXPECT_EQ(live.slice(), sliceOf(image, pixels, slices / 2));
    for (std::int64_t slice = 0; slice < slices; slice += 3) {
        live.engine->mailbox().showBscan(slice);
        if (slice == slices / 2) continue;
        EXPECT_EQ(live.slice(), sliceOf(image, pixels, slice));
    }
    const std::vector<float> voxels = live.voxels();
    const std::int64_t depths = image.sizeOf(AxisName::Depth);
    const std::int64_t lines = image.sizeOf(AxisName::Lateral);
    ASSERT_EQ(voxels.size(), pixels.size());
    for (std::int64_t i = 0; i < image.count(); ++i) {
        const std::int64_t line = i % lines;
        const std::int64_t depth = i / lines % depths;
        const std::int64_t voxel = (i / lines / depths * lines + line) * depths + depth;
        ASSERT_NEAR(voxels[static_cast<std::size_t>(voxel)], pixels[static_cast<std::size_t>(i)],
                    0.04);
    }
    EXPECT_LT(*std::ranges::min_element(pixels), -20.0F) << "there is something to see";
}

TEST_F(MatrixArray, AnEditRunsTheShownVolumeAgainAndKeepsTheSlicesPlace) {
    const SnapshotPtr before = live.engine->snapshot();
    const Axis slices = before->output().axes.front();
    live.engine->mailbox().showBscan(2);
    const double place = slices.origin + 2 * slices.spacing;
    const SnapshotPtr darker = withValue(*before, "log_compression", "gain_db", -12.0);
    live.slice();
    live.engine->post(darker);
    const std::vector<float> dark = sliceOf(darker->output(), imageOf(darker), 2);
    EXPECT_TRUE(waitUntil([&] { return live.slice() == dark; }));
    const SnapshotPtr finer = withValue(*darker, "beamform", "pixel_elevation", 0.5e-3);
    live.engine->post(finer);
    const Axis now = finer->output().axes.front();
    const auto expected =
        static_cast<std::int64_t>(std::lround((place - now.origin) / now.spacing));
    ASSERT_NE(expected, 2);
    EXPECT_EQ(live.slice(), sliceOf(finer->output(), imageOf(finer), expected));
    EXPECT_TRUE(waitUntil([&] { return live.engine->volume().spec()->axes[0] == now; }));
    EXPECT_EQ(live.failures, 0);
}

/// The line is that of the slice; the channel is the element nearest to it on the face.
TEST_F(MatrixArray, APickedColumnIsOfTheShownSlice) {
    live.slice();
    const SnapshotPtr snapshot = live.engine->snapshot();
    const auto& elements = snapshot->input.acquisition->probe.elements;
    const Axis& slices = snapshot->output().axes.front();
    for (const std::int64_t slice : {std::int64_t{1}, slices.size - 2}) {
        live.engine->mailbox().showBscan(slice);
        live.slice();
        live.engine->look<PickedColumn>().pick(1e-3);
        const double elevation = slices.origin + static_cast<double>(slice) * slices.spacing;
        const auto nearest = std::ranges::min_element(
            elements, {}, [&](const Point& e) { return std::hypot(e.x - 1e-3, e.y - elevation); });
        EXPECT_TRUE(waitUntil([&] {
            const auto column = live.engine->look<PickedColumn>().latest();
            return column && column->channel == nearest - elements.begin() &&
                   !column->envelope.empty();
        })) << slice;
    }
}

TEST_F(MatrixArray, WithoutALimitOfAmplitudesThereIsNoVolumeAndASentence) {
    live.slice();
    live.engine->post(withBypass(*live.engine->snapshot(), "log_compression", true));
    EXPECT_TRUE(waitUntil([&] { return !live.engine->volume().active(); }));
    EXPECT_THAT(live.engine->volume().problem(), testing::HasSubstr("log_compression"));
    EXPECT_FALSE(live.slice().empty()) << "the slice is shown all the same";
    live.engine->post(withBypass(*live.engine->snapshot(), "log_compression", false));
    EXPECT_TRUE(waitUntil([&] { return live.engine->volume().active(); }));
    EXPECT_EQ(live.engine->volume().problem(), "");
}

TEST_F(MatrixArray, TooFineAGridIsRefusedWithWhatToReduce) {
    const SnapshotPtr now = live.engine->snapshot();
    try {
        withValue(*withValue(*now, "beamform", "pixel_elevation", 2e-6), "beamform",
                  "pixel_lateral", 2e-6);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("pixel_elevation"));
        EXPECT_THAT(error.what(), testing::HasSubstr("voxels"));
    }
}

TEST(StoreOfEchoes, WhatDoesNotFitSaysWhatToMakeGreater) {
    VolumeStore store(Backend::Cpu, {}, [] { return std::size_t{100}; });
    const FakeEchoes volumes(false);
    store.configure(volumes.info().frame, {});
    EXPECT_FALSE(store.active());
    EXPECT_THAT(store.problem(), testing::HasSubstr("no C-plane"));
    EXPECT_THAT(store.problem(), testing::ContainsRegex(" planes of [0-9]+ lines with "));
    EXPECT_THAT(store.problem(), testing::HasSubstr("pixel_elevation"));
}

} // namespace
} // namespace echolux
