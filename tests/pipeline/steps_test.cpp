// SPDX-License-Identifier: GPL-3.0-or-later
// Which stages run as one. Planning needs no GPU.
#include "app/pipeline/steps.hpp"
#include "tests/support/front_end_chains.hpp"
#include "tests/support/oct_frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::spectraSpec;

SnapshotPtr octChain(DType type, std::int64_t samples) {
    return instantiate(shippedPipeline("oct"), spectraSpec(type, 32, samples));
}

std::vector<std::string> labels(const Snapshot& snapshot, Backend backend, Fusing fusing,
                                const std::vector<std::string>& kept = {}) {
    std::vector<std::string> all;
    for (const Step& step : planSteps(snapshot, backend, kept, fusing))
        all.push_back(step.label(snapshot));
    return all;
}

TEST(Steps, TheOctChainIsOneOnCuda) {
    const SnapshotPtr snapshot = octChain(DType::U16, 1024);
    EXPECT_THAT(labels(*snapshot, Backend::Cuda, Fusing::Allowed),
                ElementsAre("spectrum_to_float ... magnitude_log"));
}

TEST(Steps, TheCpuAndWhoeverAsksRunStageByStage) {
    const SnapshotPtr snapshot = octChain(DType::U16, 1024);
    EXPECT_EQ(labels(*snapshot, Backend::Cpu, Fusing::Allowed).size(), 8U);
    EXPECT_EQ(labels(*snapshot, Backend::Cuda, Fusing::Never).size(), 8U);
}

TEST(Steps, StagesAfterAFusionStandAlone) {
    const SnapshotPtr snapshot = withBypass(*octChain(DType::Packed12, 512), "average", false);
    EXPECT_THAT(labels(*snapshot, Backend::Cuda, Fusing::Allowed),
                ElementsAre("spectrum_to_float ... magnitude_log", "average"));
}

TEST(Steps, AKeptOutputIsNotFusedAway) {
    const SnapshotPtr snapshot = octChain(DType::U16, 1024);
    EXPECT_EQ(labels(*snapshot, Backend::Cuda, Fusing::Allowed, {"k_linearize"}).size(), 8U);
}

TEST(Steps, WhatTheKernelDoesNotTakeRunsStageByStage) {
    const auto alone = [](const SnapshotPtr& snapshot) {
        return labels(*snapshot, Backend::Cuda, Fusing::Allowed).size() > 1;
    };
    const SnapshotPtr fits = octChain(DType::U16, 1024);
    EXPECT_TRUE(alone(octChain(DType::F32, 1024)));
    EXPECT_TRUE(alone(octChain(DType::U16, 1004)));
    EXPECT_FALSE(alone(octChain(DType::U16, 1000))); // gridded onto 2048 points
    EXPECT_FALSE(alone(octChain(DType::U16, 4096))); // gridded onto 8192 points
    EXPECT_TRUE(alone(octChain(DType::U16, 8192)));
    EXPECT_TRUE(alone(withValue(*fits, "inverse_fft", "padding", "twice")));
    EXPECT_TRUE(alone(withValue(*fits, "dc_removal_moving", "method", "fourier_bins")));
    EXPECT_FALSE(alone(withValue(*octChain(DType::U16, 8192), "k_linearize", "method", "cubic")));
}

TEST(Steps, TheOctKernelTakesEveryRangeScaleAndOversampling) {
    SnapshotPtr snapshot = octChain(DType::U16, 1024);
    for (const char* range : {"half", "full"}) {
        snapshot = withValue(*snapshot, "inverse_fft", "range", range);
        for (const char* scale : {"decibels", "linear"}) {
            snapshot = withValue(*snapshot, "magnitude_log", "scale", scale);
            for (double oversampling = 1.0; oversampling <= 2.0; oversampling += 0.125) {
                snapshot = withValue(*snapshot, "k_linearize", "oversampling", oversampling);
                EXPECT_EQ(labels(*snapshot, Backend::Cuda, Fusing::Allowed).size(), 1U)
                    << range << ' ' << scale << ' ' << oversampling;
            }
        }
    }
}

TEST(Steps, AStageOnTheCpuStandsBetweenThoseOnCuda) {
    const SnapshotPtr snapshot = withOnCpu(*octChain(DType::U16, 1024), "window", true);
    const std::vector<Step> steps = planSteps(*snapshot, Backend::Cuda, {}, Fusing::Allowed);
    for (const Step& step : steps) {
        EXPECT_EQ(step.onHost, step.label(*snapshot) == "window");
        EXPECT_EQ(step.fusion, nullptr);
    }
    for (const Step& step : planSteps(*snapshot, Backend::Cpu, {}, Fusing::Allowed))
        EXPECT_FALSE(step.onHost) << "there is no other side";
    // What follows it may be fused for all that.
    const SnapshotPtr later = withOnCpu(*octChain(DType::U16, 1024), "average", true);
    EXPECT_THAT(labels(*withBypass(*later, "average", false), Backend::Cuda, Fusing::Allowed),
                ElementsAre("spectrum_to_float ... magnitude_log", "average"));
}

TEST(Steps, AStageThatWantsToRunAloneBreaksAFusion) {
    PipelineConfig config = shippedPipeline("oct");
    const FrameSpec input = spectraSpec(DType::U16, 32, 1024);
    for (StageConfig& stage : config.stages) stage.alone = stage.type == "window";
    const SnapshotPtr alone = instantiate(config, input);
    EXPECT_EQ(labels(*alone, Backend::Cuda, Fusing::Allowed).size(), 8U);
    EXPECT_FALSE(differsOnlyLive(*octChain(DType::U16, 1024), *alone));
    // Of two branches of one pipeline one is fused.
    const SnapshotPtr both = instantiate(shippedPipeline("oct_fused_separate"), input);
    EXPECT_THAT(labels(*both, Backend::Cuda, Fusing::Allowed),
                ElementsAre("spectrum_to_float ... magnitude_log", "spectrum_to_float_separate",
                            "background_subtract_separate", "dc_removal_moving_separate",
                            "k_linearize_separate", "window_separate", "dispersion_separate",
                            "inverse_fft_separate", "magnitude_log_separate", "compare"));
    EXPECT_EQ(labels(*both, Backend::Cpu, Fusing::Allowed).size(), 17U);
}

TEST(Steps, SayWhyTheyAreNotFused) {
    const SnapshotPtr snapshot = octChain(DType::U16, 1024);
    const auto why = [](const SnapshotPtr& chain, Fusing fusing = Fusing::Allowed) {
        return planSteps(*chain, Backend::Cuda, {}, fusing).front().notFused;
    };
    EXPECT_EQ(why(snapshot), "");
    const SnapshotPtr padded = withValue(*snapshot, "inverse_fft", "padding", "twice");
    EXPECT_THAT(why(padded), HasSubstr("padding of 'inverse_fft'"));
    EXPECT_EQ(why(padded, Fusing::Never), "");
    EXPECT_THAT(why(octChain(DType::F32, 1024)), HasSubstr("f32"));
    EXPECT_THAT(why(withValue(*snapshot, "dc_removal_moving", "method", "fourier_bins")),
                HasSubstr("Fourier bins"));
    EXPECT_THAT(why(withValue(*octChain(DType::U16, 1000), "k_linearize", "method", "cubic")),
                HasSubstr("1000 points"));
}

TEST(Steps, SayWhatIsNotTunedForTheGpu) {
    PipelineConfig config = testing_support::frontEndOf({"to_float", "analytic", "beamform"});
    const FrameSpec raw = test::channelSpec(3, 16, 512, 20e6, 5e6);
    const auto why = [](const SnapshotPtr& chain, Backend backend = Backend::Cuda) {
        return planSteps(*chain, backend, {}, Fusing::Allowed).back().untuned;
    };
    const SnapshotPtr tuned = instantiate(config, raw);
    EXPECT_EQ(why(tuned), "");
    const SnapshotPtr textures =
        withValue(*tuned, "beamform", "interpolation", std::string("texture"));
    EXPECT_EQ(why(textures), "textures are read pixel by pixel");
    EXPECT_EQ(why(textures, Backend::Cpu), "");
    EXPECT_EQ(why(withOnCpu(*textures, "beamform", true)), "") << "it runs on the CPU";
    EXPECT_EQ(why(withValue(*tuned, "beamform", "delays", std::string("table"))),
              "its delays come from a table");
    // Of outputs that nobody reads nothing is said.
    config.views = {{"sum", "", {"out", "beamform"}}, {"low", "", {"transmits", "beamform"}}};
    EXPECT_EQ(why(instantiate(config, raw)), "low-resolution images are computed pixel by pixel");
}

TEST(Steps, LinesOfAMultipleOfEightSamplesAndOfFewTapsAreFused) {
    const auto fused = [](std::int64_t samples, double oversampling, std::int64_t kernelWidth) {
        SnapshotPtr chain =
            withValue(*octChain(DType::U16, samples), "k_linearize", "oversampling", oversampling);
        chain = withValue(*chain, "k_linearize", "curve", "polynomial");
        chain = withValue(*chain, "k_linearize", "kernel_width", kernelWidth);
        return labels(*chain, Backend::Cuda, Fusing::Allowed).size() == 1;
    };
    for (const double oversampling : {1.0, 1.125, 1.25, 1.375, 1.5, 2.0})
        EXPECT_TRUE(fused(512, oversampling, 4)) << oversampling;
    EXPECT_TRUE(fused(904, 1.125, 4));   // onto 1024 points
    EXPECT_FALSE(fused(1020, 1.003, 4)); // onto 1024 too, but not read eight at a time
    EXPECT_TRUE(fused(1024, 1.0, 7));
    EXPECT_FALSE(fused(1024, 1.0, 8)); // up to 34 taps
}

TEST(Steps, BypassedStagesDoNotBreakAFusion) {
    SnapshotPtr snapshot = octChain(DType::U16, 1024);
    for (const char* stage : {"background_subtract", "dc_removal_moving", "window", "dispersion"})
        snapshot = withBypass(*snapshot, stage, true);
    EXPECT_EQ(labels(*snapshot, Backend::Cuda, Fusing::Allowed).size(), 1U);
}

TEST(Steps, AFilterWithDelayIsNotFused) {
    FrameSpec spec = test::channelSpec(3, 4, 1666);
    spec.dtype = DType::I16;
    const SnapshotPtr both = instantiate(
        testing_support::frontEndOf({"to_float", "dc_removal", "bandpass", "analytic"}), spec);
    EXPECT_THAT(labels(*both, Backend::Cuda, Fusing::Allowed),
                ElementsAre("to_float ... analytic"));
    EXPECT_THAT(labels(*withValue(*both, "bandpass", "direction", "forward"), Backend::Cuda,
                       Fusing::Allowed),
                ElementsAre("to_float ... dc_removal", "bandpass", "analytic"));
}

} // namespace
} // namespace echolux
