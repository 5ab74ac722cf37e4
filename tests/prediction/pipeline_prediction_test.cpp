// SPDX-License-Identifier: GPL-3.0-or-later
// Whole pipelines on devices from files: sums, bounds, copies and memory.
#include "app/prediction/pipeline_prediction.hpp"

#include "app/pipeline/frame_program.hpp"
#include "app/prediction/device_file.hpp"
#include "gpu/core/error.hpp"
#include "tests/pipeline/test_frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using test::chainOf;
using test::codesSpec;

SnapshotPtr rfImaging() { return instantiate(shippedPipeline("rf"), codesSpec(3, 64, 1024)); }

TEST(PipelinePrediction, AddsUpItsSteps) {
    const SnapshotPtr snapshot = rfImaging();
    const PipelinePrediction all = predictPipeline(snapshot, deviceBy("h200"), {});
    double improved = 0.0;
    double plain = 0.0;
    double launch = 0.0;
    std::size_t kernels = 0;
    for (const StepPrediction& step : all.steps) {
        EXPECT_GT(step.improved.high, 0.0) << step.label;
        EXPECT_GE(step.improved.high, step.improved.low) << step.label;
        EXPECT_GE(step.plain.high, step.plain.low) << step.label;
        improved += step.improved.middle();
        plain += step.plain.middle();
        launch += step.launch;
        kernels += step.kernels;
    }
    EXPECT_NEAR(all.improved.middle(), improved, 1e-12);
    EXPECT_NEAR(all.plain.middle(), plain, 1e-12);
    EXPECT_NEAR(all.launch, launch, 1e-12);
    EXPECT_NEAR(all.launch,
                static_cast<double>(kernels) * model::reachedRates(deviceBy("h200")).launch, 1e-12);
    EXPECT_NEAR(all.latency.low, all.improved.low + all.launch + all.upload, 1e-12);
    EXPECT_NEAR(all.upload, static_cast<double>(snapshot->input.bytes()) / 55.4e9, 1e-12);
}

TEST(PipelinePrediction, ACardThatComputesLittleIsBoundByItsLink) {
    model::Device card = deviceBy("h200");
    const SnapshotPtr snapshot = instantiate(chainOf({"to_float"}), codesSpec(16, 128, 8192));
    EXPECT_EQ(predictPipeline(snapshot, card, {}).bound, model::Bound::Pcie);
    card.measured.toDevice = 1e15;
    const PipelinePrediction fast = predictPipeline(snapshot, card, {});
    EXPECT_EQ(fast.bound, model::Bound::Memory);
    EXPECT_LT(fast.frame.low, fast.latency.low + 1e-12);
}

TEST(PipelinePrediction, SmallFramesAreBoundByTheirLaunches) {
    const SnapshotPtr snapshot = instantiate(chainOf({"to_float"}), codesSpec(1, 4, 64));
    EXPECT_EQ(predictPipeline(snapshot, deviceBy("h200"), {}).steps[0].bound, model::Bound::Launch);
}

TEST(PipelinePrediction, NewerCardsAreFaster) {
    const SnapshotPtr snapshot = rfImaging();
    const auto framesOn = [&](const char* device) {
        return predictPipeline(snapshot, deviceBy(device), {.fusing = Fusing::Never})
            .framesPerSecond();
    };
    EXPECT_GT(framesOn("h200"), framesOn("gtx_1080_ti"));
    EXPECT_GT(framesOn("gtx_1080_ti"), framesOn("quadro_p1000"));
    EXPECT_GT(framesOn("quadro_p1000"), framesOn("quadro_k420"));
}

TEST(PipelinePrediction, MemoryIsThatOfTheRunner) {
    const SnapshotPtr snapshot = rfImaging();
    const PipelinePrediction all = predictPipeline(snapshot, deviceBy("core_i5_2300"), {});
    EXPECT_EQ(all.bytes, makeFrameProgram(snapshot, Backend::Cpu, {}, Fusing::Allowed).bytes(1));
    EXPECT_TRUE(all.fits);
    model::Device small = deviceBy("core_i5_2300");
    small.limits.memoryBytes = 1e6;
    EXPECT_FALSE(predictPipeline(snapshot, small, {}).fits);
    EXPECT_DOUBLE_EQ(all.upload, 0.0);
}

TEST(PipelinePrediction, AKernelThatDoesNotFitIsRefused) {
    const model::Kernel large{"large", {14, 256, 16, 1e6}, {model::Part{.globalBytes = 1e6}}};
    try {
        predictStep("front end", {{large}}, deviceBy("h200"));
        FAIL() << "was not refused";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("choose another device"));
        EXPECT_THAT(error.what(), testing::HasSubstr("front end"));
    }
}

// Kernels are those of the device that is asked for: its blocks have less shared memory than those
// of newer cards, so that other layouts and fusions run there.
TEST(PipelinePrediction, KernelsAreChosenForTheDevice) {
    PipelineConfig nearest = chainOf({"to_float", "beamform"});
    nearest.stages[1].values = {{"interpolation", std::string("nearest")}};
    double most = 0.0;
    for (const SnapshotPtr& snapshot :
         {rfImaging(), instantiate(nearest, codesSpec(1, 256, 2048))}) {
        for (const model::Device& device : shippedDevices()) {
            PipelinePrediction predicted;
            ASSERT_NO_THROW(predicted = predictPipeline(snapshot, device, {})) << device.id;
            if (device.isCpu) continue;
            for (const StepPrediction& step : predicted.steps) {
                for (const StepKernel& kernel : step.differing) {
                    EXPECT_GE(kernel.predicted.occupancy.blocks, 1.0) << device.id << step.label;
                    EXPECT_LE(kernel.launch.sharedBytes, device.limits.mostShared()) << device.id;
                    most = std::max(most, kernel.launch.sharedBytes);
                }
            }
        }
    }
    EXPECT_GT(most, 49152.0) << "newer cards use what they have";
    const auto sharedOn = [&](const char* id) {
        const device::PlannedDevice planned = plannedFor(deviceBy(id));
        return device::sharedBytesEverywhere();
    };
    EXPECT_EQ(sharedOn("gtx_470"), 49152U);
    EXPECT_EQ(sharedOn("h100"), 232448U);
    EXPECT_EQ(sharedOn("core_i5_2300"), device::sharedBytesEverywhere());
}

// Quadro K420 (Tschupp 2019, 3.2): upload and steps add up.
TEST(PipelinePrediction, UploadsTakeTimeWhereTheyDoNotOverlap) {
    const SnapshotPtr snapshot = rfImaging();
    model::Device card = deviceBy("quadro_k420");
    const PipelinePrediction apart = predictPipeline(snapshot, card, {});
    EXPECT_DOUBLE_EQ(apart.frame.middle(), (apart.improved + apart.launch).middle() + apart.upload);
    EXPECT_EQ(apart.frame, apart.latency);
    card.overlapsCopies = true;
    EXPECT_LT(predictPipeline(snapshot, card, {}).frame.middle(), apart.frame.middle());
}

TEST(PipelinePrediction, TellsThePartsOfItsKernelsAndTheKnownError) {
    const PipelinePrediction all = predictPipeline(rfImaging(), deviceBy("h200"), {});
    for (const StepPrediction& step : all.steps) {
        std::size_t kernels = 0;
        for (const StepKernel& kernel : step.differing) {
            kernels += kernel.count;
            EXPECT_FALSE(kernel.predicted.parts.empty()) << step.label;
        }
        EXPECT_EQ(kernels, step.kernels) << step.label;
        ASSERT_NE(step.longest(), nullptr);
        EXPECT_LT(step.likely.low, step.time().low);
        EXPECT_GT(step.likely.high, step.time().high);
    }
    EXPECT_LT(all.likelyFrame.low, all.frame.low);
}

} // namespace
} // namespace echolux
