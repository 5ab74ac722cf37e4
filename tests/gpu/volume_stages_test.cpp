// SPDX-License-Identifier: GPL-3.0-or-later
// Stages after beamform on volumes [elevation][depth][lateral]: slice by slice what they make of
// each slice alone, and one reference level for all.
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace echolux::test {
namespace {

constexpr std::int64_t kSlices = 3;
constexpr std::int64_t kDepths = 37;
constexpr std::int64_t kLaterals = 11;
constexpr std::size_t kSlice = kDepths * kLaterals;

FrameSpec sliceSpec() { return imageSpec(kDepths, kLaterals); }

FrameSpec volumeSpec() {
    FrameSpec spec = sliceSpec();
    spec.axes.insert(spec.axes.begin(), {AxisName::Elevation, kSlices, 0.3e-3, -0.3e-3, "m"});
    return spec;
}

/// Slices of different brightness.
std::vector<float> values(unsigned seed) {
    std::vector<float> all = noise(kSlices * kSlice, seed);
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] *= static_cast<float>(std::pow(10.0, static_cast<double>(i / kSlice)));
    return all;
}

std::vector<float> sliceOf(const std::vector<float>& volume, std::size_t slice) {
    const auto first = volume.begin() + static_cast<std::ptrdiff_t>(slice * kSlice);
    return {first, first + static_cast<std::ptrdiff_t>(kSlice)};
}

/// Several frames through one runner for the volume and one for each slice.
void expectSliceBySlice(const std::string& stage, const Settings& settings) {
    SCOPED_TRACE(stage);
    const StageType& type = stageType(stage);
    StageRunner whole(type, volumeSpec(), paramsFor(type, volumeSpec(), settings));
    std::vector<std::unique_ptr<StageRunner>> alone;
    for (std::size_t slice = 0; slice < kSlices; ++slice)
        alone.push_back(std::make_unique<StageRunner>(type, sliceSpec(),
                                                      paramsFor(type, sliceSpec(), settings)));
    for (unsigned frame = 1; frame <= 3; ++frame) {
        const std::vector<float> in = values(frame);
        const HostFrame out = whole.run(HostFrame(volumeSpec(), in));
        EXPECT_EQ(out.spec.axes, volumeSpec().axes);
        for (std::size_t slice = 0; slice < kSlices; ++slice) {
            const HostFrame expected =
                alone[slice]->run(HostFrame(sliceSpec(), sliceOf(in, slice)));
            expectNear(out.as<float>().subspan(slice * kSlice, kSlice), expected.as<float>(), 0.0);
        }
    }
}

TEST(VolumeStages, SlicesAreWhatTheyAreAlone) {
    expectSliceBySlice("envelope", {{"kind", "fft_hilbert"}});
    expectSliceBySlice("envelope", {{"kind", "fir_hilbert"}});
    expectSliceBySlice("envelope", {{"amplitude", false}});
    expectSliceBySlice("tgc", {{"points_db", std::vector<double>{0, 1, 4, 9, -3, 0, 2, 20}}});
    expectSliceBySlice("median", {{"window", std::int64_t{3}}});
    expectSliceBySlice("median", {{"window", std::int64_t{9}}});
    expectSliceBySlice("persistence", {{"amount", 0.7}});
    expectSliceBySlice("log_compression", {{"reference", "fixed"}, {"fixed_reference", 2.0}});
    expectSliceBySlice("linear_map", {{"reference", "fixed"}, {"max", 3.0}});
}

/// 0 dB is the brightest voxel of all slices, not of each.
TEST(VolumeStages, TheRunningMaximumIsThatOfTheWholeVolume) {
    const std::vector<float> in = values(4);
    const float highest =
        std::abs(*std::ranges::max_element(in, {}, [](float x) { return std::abs(x); }));
    const HostFrame out = runStage("log_compression", HostFrame(volumeSpec(), in));
    std::vector<float> expected;
    for (const float x : in)
        expected.push_back(std::max(-60.0F, 20.0F * std::log10(std::abs(x) / highest)));
    expectNear(out.as<float>(), expected, 1e-3);
}

TEST(VolumeStages, CompareSplitsAndSquaresEverySliceAlike) {
    const std::vector<float> zeros(kSlices * kSlice, 0.0F);
    const std::vector<float> ones(kSlices * kSlice, 1.0F);
    for (const char* mode : {"split", "checkerboard"}) {
        SCOPED_TRACE(mode);
        const HostFrame all = runStage(
            "compare", HostFrames{{volumeSpec(), zeros}, {volumeSpec(), ones}}, {{"mode", mode}});
        const HostFrame one =
            runStage("compare",
                     HostFrames{{sliceSpec(), sliceOf(zeros, 0)}, {sliceSpec(), sliceOf(ones, 0)}},
                     {{"mode", mode}});
        for (std::size_t slice = 0; slice < kSlices; ++slice)
            expectNear(all.as<float>().subspan(slice * kSlice, kSlice), one.as<float>(), 0.0);
    }
}

/// Several B-scans of light in a frame, [elevation][lateral][depth], are no volume of echoes.
TEST(VolumeStages, StacksOfLightAreRefusedAsBefore) {
    FrameSpec spec = volumeSpec();
    std::swap(spec.axes[1], spec.axes[2]);
    for (const char* stage : {"median", "persistence"}) {
        EXPECT_THAT(testing_support::refusal([&] { checkPort(stageType(stage), spec); }),
                    testing::HasSubstr("depth, lateral"));
    }
}

} // namespace
} // namespace echolux::test
