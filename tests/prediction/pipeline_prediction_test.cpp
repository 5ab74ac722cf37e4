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
    model::Device card = deviceBy("h200");
    card.limits.sharedBytes = 1024;
    const SnapshotPtr snapshot = rfImaging();
    try {
        predictPipeline(snapshot, card, {});
        FAIL() << "was not refused";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("choose another device"));
        EXPECT_THAT(error.what(), testing::HasSubstr("front end"));
    }
}

} // namespace
} // namespace echolux
