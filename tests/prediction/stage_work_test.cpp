// SPDX-License-Identifier: GPL-3.0-or-later
// The work that stages and fusions declare: closed forms, and bounds that hold for all of them.
#include "app/prediction/pipeline_prediction.hpp"

#include "app/prediction/device_file.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/stage/stage_work.hpp"
#include "tests/pipeline/test_frames.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace echolux {
namespace {

using model::Kernel;
using model::Part;
using test::chainOf;
using test::codesSpec;

/// u16 [lateral][sample].
FrameSpec spectraSpec(std::int64_t lines, std::int64_t samples) {
    FrameSpec spec;
    spec.dtype = DType::U16;
    spec.axes = {{AxisName::Lateral, lines, 1e-5, 0.0, "m"},
                 {AxisName::Sample, samples, 1.0, 0.0, ""}};
    spec.spectrometer = std::make_shared<Spectrometer>();
    return spec;
}

Part totalOf(const std::vector<Kernel>& kernels) {
    Kernel all;
    for (const Kernel& kernel : kernels) all.parts.push_back(kernel.total());
    return all.total();
}

/// The steps of a shipped pipeline with their work.
struct Planned {
    SnapshotPtr snapshot;
    std::vector<Step> steps;
    std::vector<StepWork> work;

    Planned(const PipelineConfig& config, const FrameSpec& input, Backend backend, Fusing fusing)
        : snapshot(instantiate(config, input)), steps(planSteps(*snapshot, backend, {}, fusing)) {
        for (const Step& step : steps) work.push_back(workOf(*snapshot, step, backend));
    }
    Part total(std::size_t step) const { return totalOf(work[step].kernels); }
};

void expectSound(const Planned& planned) {
    for (std::size_t i = 0; i < planned.steps.size(); ++i) {
        const std::string label = planned.steps[i].label(*planned.snapshot);
        EXPECT_TRUE(planned.work[i].isDeclared) << label;
        ASSERT_FALSE(planned.work[i].kernels.empty()) << label;
        const StageState& last = planned.snapshot->stages[planned.steps[i].last()];
        const StageState& first = planned.snapshot->stages[planned.steps[i].first()];
        const auto moved =
            static_cast<double>(first.input().bytes() + last.plan.outputs[0].bytes());
        EXPECT_GE(planned.total(i).globalBytes, 0.99 * moved) << label;
        for (const Kernel& kernel : planned.work[i].kernels) {
            EXPECT_GE(kernel.launch.blocks, 1.0) << label;
            EXPECT_GE(kernel.launch.threads, 1.0) << label;
            for (const Part& part : kernel.parts) {
                EXPECT_LE(part.distinctBytes, part.globalBytes + 1e-6) << label;
                for (const double count : {part.globalBytes, part.sharedBytes, part.ffma, part.fmul,
                                           part.fadd, part.special, part.offsets, part.barriers}) {
                    EXPECT_GE(count, 0.0) << label;
                    EXPECT_TRUE(std::isfinite(count)) << label;
                }
            }
        }
    }
}

class ShippedPipelines : public testing::TestWithParam<std::string> {};

TEST_P(ShippedPipelines, DeclareTheWorkOfEveryStep) {
    const bool isOct = GetParam() == "oct";
    const FrameSpec input = isOct ? spectraSpec(64, 1024) : codesSpec(3, 32, 1024);
    const PipelineConfig config = shippedPipeline(GetParam());
    for (const Backend backend : {Backend::Cpu, Backend::Cuda})
        for (const Fusing fusing : {Fusing::Allowed, Fusing::Never})
            expectSound(Planned(config, input, backend, fusing));
}

INSTANTIATE_TEST_SUITE_P(All, ShippedPipelines,
                         testing::Values("rf", "rf_sum", "demodulated", "fir_linear_gray", "oct"));

TEST(StageWork, ConversionReadsCodesAndWritesFloats) {
    const FrameSpec input = codesSpec(2, 16, 512);
    for (const Backend backend : {Backend::Cpu, Backend::Cuda}) {
        const Planned planned(chainOf({"to_float"}), input, backend, Fusing::Never);
        const auto count = static_cast<double>(input.count());
        EXPECT_DOUBLE_EQ(planned.total(0).globalBytes, (2.0 + 4.0) * count);
        EXPECT_DOUBLE_EQ(planned.total(0).fmul, count);
    }
}

TEST(StageWork, AZeroPhaseFilterHasAnAdditionAndAnFfmaPerTapOfOneSide) {
    const FrameSpec input = codesSpec(1, 16, 1000);
    const Planned planned(chainOf({"to_float", "bandpass"}), input, Backend::Cuda, Fusing::Never);
    const auto count = static_cast<double>(input.count());
    // 63 taps forward and backward: 62 on one side, in groups of 8.
    EXPECT_DOUBLE_EQ(planned.total(1).ffma, 64.0 * count);
    EXPECT_DOUBLE_EQ(planned.total(1).fadd, 64.0 * count);
    EXPECT_DOUBLE_EQ(planned.total(1).distinctBytes, 8.0 * count);
}

TEST(StageWork, ASumHasOneRootPerElementPixelAndTransmitGroup) {
    const FrameSpec input = codesSpec(5, 32, 1024);
    PipelineConfig config = chainOf({"to_float", "beamform"});
    config.stages[1].values = {{"f_number", 0.0}};
    const Planned planned(config, input, Backend::Cpu, Fusing::Never);
    const auto pixels = static_cast<double>(planned.snapshot->output().count());
    const Part total = planned.total(1);
    EXPECT_NEAR(total.special, 32.0 * pixels, 1e-6 * total.special); // 5 transmits are one group
    // Per element 2 FFMA, per term 2.
    EXPECT_NEAR(total.ffma, 32.0 * pixels * (2.0 + 5.0 * 2.0), 1e-6 * total.ffma);
}

// Samples that a value is read from: one for the nearest, two for a line, one more than the order
// of Lagrange, the taps of the others.
TEST(StageWork, InterpolationReadsItsTaps) {
    const FrameSpec input = codesSpec(1, 32, 1024);
    const auto workOn = [&](Backend backend, const char* interpolation) {
        PipelineConfig config = chainOf({"to_float", "beamform"});
        config.stages[1].values = {{"f_number", 0.0},
                                   {"interpolation", std::string(interpolation)},
                                   {"delays", std::string("table")}};
        return Planned(config, input, backend, Fusing::Never).work[1].kernels.at(0);
    };
    double pixels = 0.0;
    for (const auto& [interpolation, taps] :
         {std::pair{"nearest", 1.0}, {"linear", 2.0}, {"lagrange", 4.0}, {"sinc", 8.0}}) {
        const Kernel onCuda = workOn(Backend::Cuda, interpolation);
        ASSERT_EQ(onCuda.parts.size(), 3U);
        pixels = onCuda.parts[2].globalBytes / 4.0;
        // Each term reads its taps and a delay.
        EXPECT_NEAR(onCuda.parts[0].globalBytes, 32.0 * pixels * 4.0 * (taps + 1.0),
                    1e-6 * onCuda.parts[0].globalBytes)
            << interpolation;
        EXPECT_EQ(onCuda.total().special, interpolation == std::string("sinc")
                                              ? 32.0 * pixels * (1.0 + 4.0)
                                              : 32.0 * pixels)
            << "a division for the aperture, and none for the delay";
        const Part onHost = workOn(Backend::Cpu, interpolation).total();
        EXPECT_NEAR(onHost.ffma, 32.0 * pixels * (2.0 + taps), 1e-6 * onHost.ffma) << interpolation;
    }
}

TEST(StageWork, AnApertureTakesFewerElements) {
    const FrameSpec input = codesSpec(1, 64, 1024);
    const auto rootsOf = [&](double fNumber) {
        PipelineConfig config = chainOf({"to_float", "beamform"});
        config.stages[1].values = {{"f_number", fNumber}};
        return Planned(config, input, Backend::Cpu, Fusing::Never).total(1).special;
    };
    EXPECT_GT(rootsOf(0.0), rootsOf(1.0));
    EXPECT_GT(rootsOf(1.0), rootsOf(3.0));
}

TEST(StageWork, OtherOutputsOfBeamformHaveKernelsOfTheirOwn) {
    const FrameSpec input = codesSpec(5, 32, 1024);
    PipelineConfig config = chainOf({"to_float", "beamform"});
    config.stages[1].values = {{"f_number", 0.0}};
    const SnapshotPtr snapshot = instantiate(config, input);
    const auto kernels = [&](std::vector<bool> wanted) {
        Step step = planSteps(*snapshot, Backend::Cuda, {}, Fusing::Never)[1];
        step.wanted = std::move(wanted);
        return workOf(*snapshot, step, Backend::Cuda).kernels;
    };
    const auto image = kernels({true, false, false});
    EXPECT_EQ(kernels({true, true, false}).size(), image.size() + 5); // one per transmit
    const auto delayed = kernels({false, false, true});
    ASSERT_EQ(delayed.size(), 1U);
    const auto bytes = static_cast<double>(snapshot->stages[1].plan.outputs[2].bytes());
    EXPECT_DOUBLE_EQ(delayed[0].parts.back().globalBytes, bytes);
    const auto pairs = kernels({false, false, false, true});
    ASSERT_EQ(pairs.size(), 5U); // one per transmit
    EXPECT_DOUBLE_EQ(pairs[4].parts.back().globalBytes, bytes);
}

TEST(StageWork, TheFusedOctChainReadsCodesOnceAndWritesPixelsOnce) {
    const FrameSpec input = spectraSpec(64, 1024);
    const Planned planned(shippedPipeline("oct"), input, Backend::Cuda, Fusing::Allowed);
    ASSERT_EQ(planned.steps.size(), 1U);
    const Part chain = planned.work[0].kernels.back().total();
    const auto pixels = static_cast<double>(planned.snapshot->output().count());
    EXPECT_DOUBLE_EQ(chain.globalBytes, static_cast<double>(input.bytes()) + 4.0 * pixels);
    EXPECT_DOUBLE_EQ(chain.special, pixels);
}

TEST(StageWork, AStageWithoutADeclarationReadsInputsAndWritesOutputs) {
    const FrameSpec input = codesSpec(2, 16, 512);
    const Planned planned(chainOf({"to_float", "upsample"}), input, Backend::Cpu, Fusing::Never);
    StageType undeclared = *planned.snapshot->stages[1].type;
    undeclared.work = nullptr;
    Snapshot snapshot = *planned.snapshot;
    snapshot.stages[1].type = &undeclared;
    const StepWork work = workOf(snapshot, planned.steps[1], Backend::Cpu);
    EXPECT_FALSE(work.isDeclared);
    EXPECT_DOUBLE_EQ(totalOf(work.kernels).globalBytes,
                     static_cast<double>(4 * input.count() + planned.snapshot->output().bytes()));
}

TEST(StageWork, UpsamplingHasATapOfEachFilterPerSample) {
    const FrameSpec input = codesSpec(1, 16, 1024); // whole blocks on CUDA
    PipelineConfig config = chainOf({"to_float", "upsample"});
    config.stages[1].values = {{"factor", std::int64_t{3}}, {"taps", std::int64_t{10}}};
    const auto count = static_cast<double>(input.count());
    const Part onCuda = Planned(config, input, Backend::Cuda, Fusing::Never).total(1);
    EXPECT_DOUBLE_EQ(onCuda.ffma, count * 2.0 * 10.0);
    const Part onHost = Planned(config, input, Backend::Cpu, Fusing::Never).total(1);
    EXPECT_DOUBLE_EQ(onHost.fmul, count * 2.0 * 10.0);
    EXPECT_DOUBLE_EQ(onHost.fadd, onHost.fmul);
}

TEST(StageWork, ADisplacementHasTwoKernelsPerShift) {
    const FrameSpec input = codesSpec(1, 32, 1024);
    PipelineConfig config = chainOf({"to_float", "analytic", "beamform", "gather", "displacement"});
    const auto kernels = [&](std::string method) {
        config.stages[4].values = {{"method", std::move(method)}, {"search", std::int64_t{5}}};
        return Planned(config, input, Backend::Cpu, Fusing::Never).work[4].kernels.size();
    };
    // Both frames have two kernels more, and one writes the outputs.
    EXPECT_EQ(kernels("phase"), 2U + 4U + 1U);
    EXPECT_EQ(kernels("correlation"), 11U * 2U + 4U + 1U);
}

TEST(StageWork, AWindowIsCutAtTheBorders) {
    EXPECT_DOUBLE_EQ(meanWindow(1, 7), 1.0);
    EXPECT_DOUBLE_EQ(meanWindow(10, 0), 1.0);
    EXPECT_DOUBLE_EQ(meanWindow(3, 1), (2.0 + 3.0 + 2.0) / 3.0);
    EXPECT_DOUBLE_EQ(meanWindow(4, 3), 4.0);
    EXPECT_DOUBLE_EQ(meanWindow(4, 100), 4.0);
}

TEST(StageWork, ALoopThatFillsNoVectorsIssuesEachInstruction) {
    const Part part{.ffma = 3.0, .fmul = 2.0, .fadd = 1.0, .offsets = 4.0};
    EXPECT_DOUBLE_EQ(oneByOne(Backend::Cpu, part).offsets, 6.0 + 2.0 + 1.0 + 4.0);
    EXPECT_DOUBLE_EQ(oneByOne(Backend::Cpu, part, 1.0).offsets, 3.0 + 2.0 + 1.0 + 4.0);
    EXPECT_DOUBLE_EQ(oneByOne(Backend::Cuda, part).offsets, 4.0);
    EXPECT_DOUBLE_EQ(oneByOne(Backend::Cpu, part).operations(), part.operations());
}

// Measured on an H200 by `echolux run`: 0.59 ms for 512 A-scans of 1024 pixels, 0.24 for 256 of
// 512.
TEST(StageWork, ASearchForSurfacesWaitsFromLineToLine) {
    const auto secondsOf = [](std::int64_t lines, std::int64_t depths) {
        FrameSpec image = test::imageSpec(1, 1);
        image.axes = {{AxisName::Lateral, lines, 1e-5, 0.0, "m"},
                      {AxisName::Depth, depths, 4e-6, 0.0, "m"}};
        const Planned planned(chainOf({"surfaces"}), image, Backend::Cuda, Fusing::Never);
        return predictStep("surfaces", planned.work[0], deviceBy("h200")).time().middle();
    };
    EXPECT_NEAR(secondsOf(512, 1024), 0.59e-3, 0.3 * 0.59e-3);
    EXPECT_NEAR(secondsOf(256, 512), 0.24e-3, 0.3 * 0.24e-3);
}

TEST(StageWork, AnEstimateOfAberrationGrowsWithItsIterationsAndPatches) {
    const FrameSpec input = codesSpec(3, 64, 2048);
    PipelineConfig config = chainOf({"to_float", "aberration"});
    const auto work = [&](std::int64_t iterations, std::int64_t patches) {
        config.stages[1].values = {{"iterations", iterations}, {"patches", patches}};
        return Planned(config, input, Backend::Cuda, Fusing::Never).work[1].kernels;
    };
    const std::vector<Kernel> few = work(4, 1);
    const std::vector<Kernel> many = work(8, 1);
    EXPECT_EQ(few.size(), many.size()) << "one kernel makes all steps of a solution";
    EXPECT_GT(totalOf(many).barriers, totalOf(few).barriers);
    EXPECT_EQ(work(4, 2).size(), 2 * few.size());
}

} // namespace
} // namespace echolux
