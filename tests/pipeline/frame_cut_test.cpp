// SPDX-License-Identifier: GPL-3.0-or-later
// Where pipelines are cut so that processes can share the frames, and that both halves together
// give the images of the whole.
#include "app/pipeline/frame_cut.hpp"
#include "app/pipeline/runner.hpp"
#include "app/pipeline/steps.hpp"
#include "tests/pipeline/test_frames.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <cstddef>
#include <vector>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::refusal;
using Frames = std::vector<std::vector<std::byte>>;

/// Each frame is other noise, the same at every call.
std::vector<std::byte> noise(const FrameSpec& spec, std::uint32_t seed) {
    std::vector<std::byte> bytes(spec.bytes());
    auto* values = reinterpret_cast<float*>(bytes.data());
    for (std::size_t i = 0; i < bytes.size() / sizeof(float); ++i) {
        seed = seed * 1664525U + 1013904223U; // Numerical Recipes
        values[i] = static_cast<float>(seed >> 8U) * 1e-6F;
    }
    return bytes;
}

Frames through(const SnapshotPtr& snapshot, const Frames& frames) {
    Runner runner(Backend::Cpu, 1);
    runner.apply(snapshot);
    Frames images;
    for (const auto& frame : frames) {
        std::vector<std::byte> image(snapshot->output().bytes());
        runner.enqueue({.raw = frame.data(),
                        .targets = {ViewTarget{reinterpret_cast<float*>(image.data())}},
                        .frame = static_cast<std::int64_t>(images.size())});
        runner.drain();
        images.push_back(std::move(image));
    }
    return images;
}

Frames alone(const SnapshotPtr& snapshot, const Frames& frames) {
    Frames images;
    for (const auto& frame : frames) images.push_back(through(snapshot, {frame}).front());
    return images;
}

TEST(FrameCut, LiesBehindTheLastStageThatSeesEachFrameAlone) {
    const FrameSpec image = imageSpec(9, 7);
    const SnapshotPtr whole =
        instantiate(chainOf({"median", "persistence", "log_compression"}), image);
    const FrameCut cut = cutFrames(whole, image, Backend::Cpu);
    EXPECT_EQ(cut.at, "out@median");
    ASSERT_TRUE(cut.head && cut.tail);
    Frames frames;
    for (std::uint32_t n = 1; n <= 5; ++n) frames.push_back(noise(image, n));
    const Frames images = through(whole, frames);
    EXPECT_EQ(through(cut.tail, alone(cut.head, frames)), images);
    EXPECT_NE(alone(whole, frames), images) << "the frames depend on each other";
}

TEST(FrameCut, IsTheViewWhereNoStageHasAPast) {
    const FrameSpec image = imageSpec(9, 7);
    const SnapshotPtr whole = instantiate(chainOf({"median", "envelope"}), image);
    const FrameCut cut = cutFrames(whole, image, Backend::Cpu);
    EXPECT_EQ(cut.at, "out@envelope");
    EXPECT_EQ(cut.head, whole);
    EXPECT_EQ(cut.tail, nullptr);
    EXPECT_EQ(cutFrames(nullptr, image, Backend::Cpu).at, "frame@recording");
}

TEST(FrameCut, BypassedStagesHaveNoPast) {
    const FrameSpec image = imageSpec(9, 7);
    PipelineConfig config = chainOf({"median", "persistence", "envelope"});
    EXPECT_EQ(cutFrames(instantiate(config, image), image, Backend::Cpu).at, "out@median");
    config.stages[1].bypass = true;
    EXPECT_EQ(cutFrames(instantiate(config, image), image, Backend::Cpu).at, "out@envelope");
}

TEST(FrameCut, WhatReadsTheFrameBeforeStaysBehind) {
    const FrameSpec image = imageSpec(9, 7);
    PipelineConfig config = chainOf({"envelope", "median", "compare"});
    config.links = {{{"out", "median"}, {"in2", "compare"}, {}, true}};
    const SnapshotPtr whole = instantiate(config, image);
    const FrameCut cut = cutFrames(whole, image, Backend::Cpu);
    EXPECT_EQ(cut.at, "out@envelope") << "the link of the frame before comes from median";
    Frames frames;
    for (std::uint32_t n = 1; n <= 4; ++n) frames.push_back(noise(image, n));
    EXPECT_EQ(through(cut.tail, alone(cut.head, frames)), through(whole, frames));
}

TEST(FrameCut, ValuesThatWereSetStayBehindTheCut) {
    const FrameSpec image = imageSpec(9, 7);
    PipelineConfig config = chainOf({"median", "log_compression"});
    config.stages[1].values = {{"range_db", 33.0}};
    const FrameCut cut = cutFrames(instantiate(config, image), image, Backend::Cpu);
    EXPECT_EQ(std::get<double>(cut.tail->stage("log_compression").params.get("range_db")), 33.0);
}

/// The fusions that a pipeline has on CUDA, by the stages that they comprise.
std::vector<std::vector<std::string>> fusionsOf(const Snapshot& snapshot) {
    std::vector<std::vector<std::string>> fusions;
    for (const Step& step : planSteps(snapshot, Backend::Cuda, {}, Fusing::Allowed))
        if (step.fusion != nullptr) fusions.push_back(step.ids(snapshot));
    return fusions;
}

TEST(FrameCut, SplitsNoFusion) {
    const FrameSpec raw = codesSpec(3, 16, 400);
    for (const char* name : {"rf", "fir_linear_gray", "rf_sum"}) {
        SCOPED_TRACE(name);
        const SnapshotPtr whole = instantiate(shippedPipeline(name), raw);
        const FrameCut cut = cutFrames(whole, raw, Backend::Cuda);
        ASSERT_TRUE(cut.head && cut.tail);
        std::vector<std::vector<std::string>> halves = fusionsOf(*cut.head);
        for (const auto& fusion : fusionsOf(*cut.tail)) halves.push_back(fusion);
        EXPECT_EQ(halves, fusionsOf(*whole));
        EXPECT_FALSE(halves.empty());
    }
}

TEST(FrameCut, RefusesAStageWithAPastThatStandsFirst) {
    const FrameSpec image = imageSpec(9, 7);
    const SnapshotPtr whole = instantiate(chainOf({"persistence", "median"}), image);
    EXPECT_THAT(refusal([&] { cutFrames(whole, image, Backend::Cpu); }),
                AllOf(HasSubstr("'test' cannot be shared"), HasSubstr("'persistence'")));
}

} // namespace
} // namespace echolux::test
