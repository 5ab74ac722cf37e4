// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped OCT pipeline: chosen for spectra, right for stacks, and live where sliders say so.
#include "app/pipeline/runner.hpp"
#include "gpu/core/decibels.hpp"
#include "gpu/memory/buffer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr std::int64_t kSamples = 125; // bin 20 falls into a zero of the moving average
constexpr std::int64_t kLines = 8;

FrameSpec spectraSpec(std::int64_t bscans) {
    FrameSpec spec;
    spec.dtype = DType::U16;
    spec.axes = {{AxisName::Elevation, bscans, 1.0, 0.0, ""},
                 {AxisName::Lateral, kLines, 1.0, 0.0, ""},
                 {AxisName::Sample, kSamples, 1.0, 0.0, ""}};
    if (bscans == 0) spec.axes.erase(spec.axes.begin());
    spec.spectrometer = std::make_shared<Spectrometer>();
    return spec;
}

/// A reflector of `amplitude` codes, 20 bins deep.
std::vector<std::uint16_t> spectra(const FrameSpec& spec, double amplitude) {
    std::vector<std::uint16_t> codes(static_cast<std::size_t>(spec.count()));
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const double turns = 20.0 * static_cast<double>(i % kSamples) / kSamples;
        codes[i] = static_cast<std::uint16_t>(
            std::lround(2000 + amplitude * std::cos(2 * std::numbers::pi * turns)));
    }
    return codes;
}

std::vector<float> run(Runner& runner, const std::vector<std::uint16_t>& codes) {
    std::vector<float> out(static_cast<std::size_t>(runner.snapshot()->output().count()));
    const int slot = runner.enqueue({.raw = reinterpret_cast<const std::byte*>(codes.data()),
                                     .targets = {ViewTarget{out.data()}}});
    runner.wait(slot);
    return out;
}

SnapshotPtr planned(const FrameSpec& spec) {
    return instantiate(shippedPipeline(defaultPipelineName(spec)), spec);
}

TEST(OctPipeline, WithoutABackgroundFlatReflectorsStay) {
    FrameSpec spec = spectraSpec(0);
    spec.axes.front().size = 64;
    Runner runner(Backend::Cpu, 1);
    runner.apply(planned(spec));
    const std::vector<float> image = run(runner, spectra(spec, 300.0)); // alike in all lines
    for (std::size_t line = 0; line < 64; ++line)
        EXPECT_NEAR(image[line * (kSamples / 2) + 20], 20 * std::log10(300.0), 0.3);
}

TEST(OctPipeline, StagesFollowALiveEditOfTheCurveBeforeThem) {
    const FrameSpec spec = spectraSpec(0);
    const auto codes = spectra(spec, 300.0);
    const SnapshotPtr straight =
        withValue(*planned(spec), "dispersion", "c1", 40.0); // nothing of it is in the way
    const SnapshotPtr bent =
        withValue(*withValue(*straight, "k_linearize", "c1", 12.0), "k_linearize", "c2", -12.0);
    Runner fresh(Backend::Cpu, 1);
    fresh.apply(bent);
    Runner edited(Backend::Cpu, 1);
    edited.apply(straight);
    const std::vector<float> before = run(edited, codes);
    const auto allocations = memoryCounters().allocations;
    edited.apply(bent);
    EXPECT_EQ(memoryCounters().allocations, allocations);
    EXPECT_EQ(edited.builds(), 1U);
    EXPECT_EQ(run(edited, codes), run(fresh, codes));
    EXPECT_NE(run(edited, codes), before);
    edited.apply(straight);
    EXPECT_EQ(run(edited, codes), before);
}

TEST(OctPipeline, IsTheDefaultForSpectraAndForStacks) {
    for (const std::int64_t bscans : {0, 3}) {
        const FrameSpec spec = spectraSpec(bscans);
        Runner runner(Backend::Cpu, 1);
        runner.apply(planned(spec));
        const FrameSpec& output = runner.snapshot()->output();
        EXPECT_EQ(output.axes.back(), (Axis{AxisName::Depth, kSamples / 2, 1.0, 0.0, ""}));
        ASSERT_TRUE(output.valueRange.has_value());
        EXPECT_EQ(output.valueRange->unit, "dB");
        if (bscans > 0) continue; // so many equal lines are a background
        const std::vector<float> image = run(runner, spectra(spec, 10.0));
        EXPECT_NEAR(image[20], 20.0, 0.1) << "10 codes";
        EXPECT_LT(image[40], -20.0) << "what rounding to codes leaves";
    }
}

TEST(OctPipeline, ASinusoidalScanIsUnwarped) {
    FrameSpec spec = spectraSpec(0);
    EXPECT_TRUE(instantiate(defaultPipeline(spec), spec)->stage("scan_correction").bypass);
    auto facts = std::make_shared<Spectrometer>();
    facts->sinusoidalScan = true;
    spec.spectrometer = facts;
    const SnapshotPtr snapshot = instantiate(defaultPipeline(spec), spec);
    const StageState& stage = snapshot->stage("scan_correction");
    EXPECT_FALSE(stage.bypass);
    EXPECT_EQ(stage.params.get("unwarp"), ParamValue(true));
    EXPECT_EQ(stage.params.get("arc"), ParamValue(1.0));
    EXPECT_EQ(withDefaults(*snapshot)->stage("scan_correction").params.get("unwarp"),
              ParamValue(true));
    EXPECT_TRUE(planned(spec)->stage("scan_correction").bypass) << "as the file says it";
}

TEST(OctPipeline, LiveEditsReachTheScaleBehindThem) {
    const FrameSpec spec = spectraSpec(0);
    const auto codes = spectra(spec, 10.0);
    Runner runner(Backend::Cpu, 1);
    runner.apply(planned(spec));
    run(runner, codes);
    const SnapshotPtr narrow = withValue(*runner.snapshot(), "window", "fill", ParamValue(0.5));
    EXPECT_TRUE(differsOnlyLive(*runner.snapshot(), *narrow));
    runner.apply(narrow);
    const std::vector<float> edited = run(runner, codes);
    EXPECT_NEAR(edited[20], 20.0, 0.1) << "half the window, the same amplitude";
    Runner fresh(Backend::Cpu, 1);
    fresh.apply(narrow);
    EXPECT_EQ(edited, run(fresh, codes));
}

TEST(OctPipeline, ACapturedBackgroundIsTakenAtOnce) {
    const FrameSpec spec = spectraSpec(0);
    const auto codes = spectra(spec, 10.0);
    auto known = std::make_shared<Spectrometer>();
    known->background.assign(codes.begin(), codes.begin() + kSamples);
    FrameSpec calibrated = spec;
    calibrated.spectrometer = known;
    Runner runner(Backend::Cpu, 1);
    runner.apply(withInput(*planned(spec), calibrated));
    for (const float db : run(runner, codes)) EXPECT_EQ(db, kNothingDb);
}

/// B-scans of `kLines` places through scan_correction alone, as frame `frame` of its recording.
float firstPlace(Runner& runner, std::int64_t bscans, std::int64_t frame, Turn turn = Turn::Next) {
    std::vector<float> places(static_cast<std::size_t>(std::max<std::int64_t>(bscans, 1) * kLines));
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<float>(i % kLines);
    std::vector<float> out(places.size());
    runner.wait(runner.enqueue({.raw = reinterpret_cast<const std::byte*>(places.data()),
                                .targets = {ViewTarget{out.data()}},
                                .turn = turn,
                                .frame = frame}));
    return out[0];
}

SnapshotPtr flipping(std::int64_t bscans, const char* which) {
    FrameSpec spec = spectraSpec(bscans);
    spec.dtype = DType::F32;
    spec.axes.back() = {AxisName::Depth, 1, 1.0, 0.0, ""};
    PipelineConfig config;
    config.name = "flip";
    config.stages = {{"scan_correction", "scan_correction", false, {}}};
    return withValue(*instantiate(config, spec), "scan_correction", "flip", std::string(which));
}

TEST(OctPipeline, EverySecondBscanOfTheRecordingIsFlipped) {
    constexpr float kFlipped = kLines - 1;
    for (const std::int64_t bscans : {0, 1}) { // one B-scan in each frame
        Runner runner(Backend::Cpu, 1);
        runner.apply(flipping(bscans, "odd"));
        for (std::int64_t frame = 0; frame < 5; ++frame)
            EXPECT_EQ(firstPlace(runner, bscans, frame), frame % 2 == 1 ? kFlipped : 0.0F);
        EXPECT_EQ(firstPlace(runner, bscans, 7), kFlipped) << "after a seek";
        runner.apply(flipping(bscans, "even"));
        EXPECT_EQ(firstPlace(runner, bscans, 7, Turn::Again), 0.0F) << "an edit keeps the number";
        EXPECT_EQ(firstPlace(runner, bscans, 8), kFlipped);
    }
    Runner stacks(Backend::Cpu, 1); // B-scans 0 1 2, 3 4 5, 6 7 8
    stacks.apply(flipping(3, "odd"));
    EXPECT_EQ(firstPlace(stacks, 3, 0), 0.0F);
    EXPECT_EQ(firstPlace(stacks, 3, 1), kFlipped);
    EXPECT_EQ(firstPlace(stacks, 3, 2), 0.0F);
}

/// A term that was set in one of two compared branches makes their difference, and is told of.
TEST(OctPipeline, ATermSetInOneComparedBranchIsToldOf) {
    for (const auto& [pipeline, other] : {std::pair("oct_dc_removal", "dispersion_bins"),
                                          std::pair("oct_fused_separate", "dispersion_separate")}) {
        SCOPED_TRACE(pipeline);
        SnapshotPtr snapshot = instantiate(shippedPipeline(pipeline), spectraSpec(0));
        const auto told = [&] {
            std::size_t sentences = 0;
            for (const std::string& warning : snapshot->warnings())
                if (warning.find("more than one way") != std::string::npos) {
                    ++sentences;
                    EXPECT_THAT(warning, testing::HasSubstr(other));
                    EXPECT_THAT(warning, testing::HasSubstr("'c1'"));
                }
            return sentences;
        };
        EXPECT_EQ(told(), 0U);
        snapshot = withValue(*snapshot, "dispersion", "c1", 5.0);
        EXPECT_EQ(told(), 1U);
        snapshot = withValue(*snapshot, other, "c1", 5.0);
        EXPECT_EQ(told(), 0U);
    }
}

} // namespace
} // namespace echolux
