// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes, waits and buffers of branched graphs, and that they compute what they should.
#include "app/pipeline/runner.hpp"
#include "app/pipeline/sub_chain.hpp"
#include "tests/pipeline/test_frames.hpp"
#include "tests/support/oct_frames.hpp"
#include "tests/support/program_bytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

namespace echolux {
namespace {

using test::chainOf;
using test::codesSpec;
using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::programBytes;

Schedule scheduleOf(const Snapshot& snapshot, std::size_t lanes,
                    const std::vector<std::string>& kept = {}) {
    return makeSchedule(snapshot, planSteps(snapshot, Backend::Cpu, kept, Fusing::Never), kept,
                        lanes);
}

/// to_float, then two scaled copies of it, each shown.
PipelineConfig fork() {
    PipelineConfig config = chainOf({"to_float", "dc_removal"});
    config.stages.push_back({"other", "dc_removal", false, {}});
    config.links.push_back({{"out", "to_float"}, {"in", "other"}});
    config.views.push_back({"a", "", {"out", "dc_removal"}});
    config.views.push_back({"b", "", {"out", "other"}});
    return config;
}

TEST(Schedule, AChainTakesTurnsWithTwoBuffersInOneLane) {
    const SnapshotPtr snapshot =
        instantiate(chainOf({"to_float", "dc_removal", "tgc", "bandpass"}), codesSpec(1, 4, 64));
    const Schedule schedule = scheduleOf(*snapshot, 4);
    EXPECT_EQ(schedule.lanes(), 1U);
    EXPECT_EQ(schedule.bufferBytes.size(), 2U);
    std::vector<std::size_t> buffers;
    for (const TaskOutput& output : schedule.outputs) buffers.push_back(output.buffer);
    for (const Task& task : schedule.tasks) {
        EXPECT_THAT(task.waits, IsEmpty());
        EXPECT_FALSE(task.marksStart);
    }
    EXPECT_THAT(buffers, ElementsAre(0, 1, 0, 1));
}

TEST(Schedule, BranchesRunBesideEachOther) {
    const SnapshotPtr snapshot = instantiate(fork(), codesSpec(1, 4, 64));
    const Schedule schedule = scheduleOf(*snapshot, 4);
    ASSERT_EQ(schedule.lanes(), 2U);
    EXPECT_EQ(schedule.tasks[1].lane, 0U);
    EXPECT_EQ(schedule.tasks[2].lane, 1U);
    EXPECT_THAT(schedule.tasks[2].waits, ElementsAre(0));
    EXPECT_TRUE(schedule.tasks[0].isAwaited);
    EXPECT_TRUE(schedule.tasks[2].isAwaited) << "by the frame's end";
    EXPECT_EQ(scheduleOf(*snapshot, 1).lanes(), 1U);
}

TEST(Schedule, WhatNobodyWaitsForIsNotRun) {
    PipelineConfig config = fork();
    config.views.pop_back();
    const SnapshotPtr snapshot = instantiate(config, codesSpec(1, 4, 64));
    EXPECT_EQ(scheduleOf(*snapshot, 4).tasks.size(), 2U);
    EXPECT_EQ(scheduleOf(*snapshot, 4, {"other"}).tasks.size(), 3U) << "kept";
}

TEST(Schedule, ABufferIsTakenAgainOnlyWhenAllHaveReadIt) {
    // One long chain and one that takes the first output late.
    PipelineConfig config = chainOf({"to_float", "dc_removal", "tgc", "bandpass"});
    config.stages.push_back({"late", "dc_removal", false, {}});
    config.links.push_back({{"out", "to_float"}, {"in", "late"}});
    config.views.push_back({"a", "", {"out", "bandpass"}});
    config.views.push_back({"b", "", {"out", "late"}});
    const SnapshotPtr snapshot = instantiate(config, codesSpec(1, 4, 64));
    for (const std::size_t lanes : {1U, 4U}) {
        const Schedule schedule = scheduleOf(*snapshot, lanes);
        for (std::size_t i = 1; i + 1 < schedule.outputs.size(); ++i)
            EXPECT_NE(schedule.outputs[i].buffer, schedule.outputs[0].buffer) << i;
    }
}

TEST(Schedule, FramesCrossOnceToEachSideThatWantsThem) {
    // On the host: tgc, and the stage behind it; shown: both, and a branch that stays on CUDA.
    PipelineConfig config = chainOf({"to_float", "dc_removal", "tgc", "bandpass"});
    config.stages[2].onCpu = config.stages[3].onCpu = true;
    config.stages.push_back({"other", "dc_removal", false, {}});
    config.links.push_back({{"out", "dc_removal"}, {"in", "other"}});
    config.stages.push_back({"back", "dc_removal", false, {}});
    config.links.push_back({{"out", "tgc"}, {"in", "back"}});
    config.views = {
        {"a", "", {"out", "bandpass"}}, {"b", "", {"out", "other"}}, {"c", "", {"out", "back"}}};
    const SnapshotPtr snapshot = instantiate(config, codesSpec(1, 4, 64));
    const std::vector<Step> steps = planSteps(*snapshot, Backend::Cuda, {}, Fusing::Never);
    const Schedule schedule = makeSchedule(*snapshot, steps, {}, 4);
    const auto output = [&](const char* id) -> const TaskOutput& {
        for (const TaskOutput& each : schedule.outputs)
            if (steps[each.task].label(*snapshot) == id) return each;
        throw Error(id);
    };
    const auto onHost = [&](const char* id) { return schedule.tasks[output(id).task].onHost; };
    EXPECT_TRUE(output("dc_removal").toHost);
    EXPECT_TRUE(onHost("tgc"));
    EXPECT_TRUE(output("tgc").toDevice) << "for 'back'";
    EXPECT_TRUE(output("bandpass").toDevice) << "for the view";
    for (const char* id : {"to_float", "other", "back"}) {
        EXPECT_FALSE(onHost(id) || output(id).toHost || output(id).toDevice) << id;
    }
    EXPECT_FALSE(output("tgc").toHost);
    EXPECT_EQ(output("dc_removal").bytes, 4U * 64U * sizeof(float));
}

TEST(Graph, EveryViewGetsItsImage) {
    const FrameSpec spec = codesSpec(1, 2, 4);
    PipelineConfig config = fork();
    config.stages[2].values = {};
    config.views.push_back({"c", "", {"out", "to_float"}});
    config.views.push_back({"d", "", {"out", "dc_removal"}}); // the same again
    Runner runner(Backend::Cpu, 1);
    runner.apply(withBypass(*instantiate(config, spec), "other", true));
    const std::vector<std::int16_t> codes{1, 2, 3, 4, 10, 20, 30, 40};
    std::array<std::vector<float>, 4> images;
    for (auto& image : images) image.assign(codes.size(), 0.0F);
    ViewTargets targets;
    for (std::size_t view = 0; view < images.size(); ++view) targets[view] = {images[view].data()};
    const int slot = runner.enqueue(
        {.raw = reinterpret_cast<const std::byte*>(codes.data()), .targets = targets});
    runner.wait(slot);
    EXPECT_THAT(images[0], ElementsAre(-1.5, -0.5, 0.5, 1.5, -15, -5, 5, 15));
    EXPECT_THAT(images[1], ElementsAre(1, 2, 3, 4, 10, 20, 30, 40)) << "bypassed";
    EXPECT_EQ(images[2], images[1]);
    EXPECT_EQ(images[3], images[0]);
}

TEST(Graph, AViewMayShowWhatTheCallerDoesNotTake) {
    const FrameSpec spec = codesSpec(1, 2, 4);
    Runner runner(Backend::Cpu, 1);
    runner.apply(instantiate(fork(), spec));
    const std::vector<std::int16_t> codes{1, 2, 3, 4, 10, 20, 30, 40};
    const int slot = runner.enqueue({.raw = reinterpret_cast<const std::byte*>(codes.data())});
    for (const std::size_t view : {0U, 1U}) {
        const ConstTensorView image = runner.viewOutput(slot, view);
        EXPECT_FLOAT_EQ(image.as<float>()[0], -1.5F) << view;
    }
    EXPECT_EQ(runner.keptOutput(slot, "to_float").data, nullptr) << "nobody keeps it";
}

/// The sum and, of the same stage, one transmit's image beside it.
PipelineConfig twoOutputs() {
    PipelineConfig config = chainOf({"to_float", "beamform", "envelope", "one_transmit"});
    config.links.push_back({{"transmits", "beamform"}, {"in", "one_transmit"}});
    config.views = {{"sum", "", {"out", "envelope"}}, {"one", "", {"out", "one_transmit"}}};
    return config;
}

TEST(Feedback, WhoReadsAndWhoMakesTheFrameBeforeFollowEachOther) {
    PipelineConfig config = chainOf({"to_float", "dc_removal", "compare", "tgc"});
    config.links = {{{"out", "tgc"}, {"in2", "compare"}, {}, true}};
    const Schedule schedule = scheduleOf(*instantiate(config, codesSpec(1, 4, 64)), 4);
    EXPECT_EQ(schedule.lanes(), 1U) << "it is no branch";
    EXPECT_THAT(schedule.tasks[1].follows, IsEmpty());
    EXPECT_THAT(schedule.tasks[2].follows, testing::UnorderedElementsAre(2, 3));
    EXPECT_THAT(schedule.tasks[3].follows, testing::UnorderedElementsAre(2, 3));
    EXPECT_TRUE(schedule.outputs[3].feedsDevice);
    EXPECT_EQ(schedule.pastBytes(), 5U * 4U * 64U * sizeof(float));
}

/// What only the next frame takes runs beside lane 0, although it comes first.
TEST(Feedback, WhatIsShownDoesNotWaitForWhatTheNextFrameTakes) {
    PipelineConfig config = chainOf({"to_float", "dc_removal", "compare"});
    config.links = {{{"out", "to_float"}, {"in", "compare"}},
                    {{"out", "dc_removal"}, {"in2", "compare"}, {}, true}};
    const SnapshotPtr snapshot = instantiate(config, codesSpec(1, 4, 64));
    const Schedule schedule = scheduleOf(*snapshot, 4);
    const std::vector<Step> steps = planSteps(*snapshot, Backend::Cpu, {}, Fusing::Never);
    EXPECT_EQ(steps[2].label(*snapshot), "dc_removal") << "comes last";
    EXPECT_TRUE(schedule.tasks[2].isAside);
    EXPECT_EQ(schedule.tasks[2].lane, 1U);
    EXPECT_EQ(schedule.tasks[1].lane, 0U);
    EXPECT_THAT(schedule.ends, ElementsAre(2));
    EXPECT_THAT(schedule.shownEnds, IsEmpty());
    EXPECT_TRUE(schedule.hasAsides());
    EXPECT_FALSE(scheduleOf(*snapshot, 4, {"dc_removal"}).hasAsides()) << "it is kept";
    EXPECT_FALSE(scheduleOf(*snapshot, 1).hasAsides());
}

TEST(Feedback, WhatIsFedBackEndsAFusionAndMayBeItsEnd) {
    PipelineConfig config = shippedPipeline("oct");
    const std::string last = "magnitude_log";
    config.stages.push_back({"difference", "compare", false, {}});
    const std::string inner = "window";
    for (const std::string& from : {last, inner}) {
        config.links = {{{"out", from}, {"in2", "difference"}, {}, true},
                        {{"out", from}, {"in", "difference"}}};
        const SnapshotPtr snapshot =
            instantiate(config, testing_support::spectraSpec(DType::U16, 32, 1024));
        const std::vector<Step> steps = planSteps(*snapshot, Backend::Cuda, {}, Fusing::Allowed);
        const auto maker = std::ranges::find_if(
            steps, [&](const Step& step) { return snapshot->stages[step.last()].id == from; });
        ASSERT_NE(maker, steps.end()) << from;
        EXPECT_EQ(maker->fusion != nullptr, from == last) << from;
    }
}

TEST(Outputs, EachHasItsBufferByItsLastUse) {
    const SnapshotPtr snapshot = instantiate(twoOutputs(), codesSpec(3, 8, 64));
    const Schedule schedule = scheduleOf(*snapshot, 1);
    ASSERT_EQ(schedule.tasks[1].outputs.size(), 4U);
    EXPECT_EQ(schedule.tasks[1].outputs[2], Task::kUnread);
    EXPECT_EQ(schedule.tasks[1].outputs[3], Task::kUnread);
    const TaskOutput& sum = schedule.outputs[schedule.tasks[1].outputs[0]];
    const TaskOutput& each = schedule.outputs[schedule.tasks[1].outputs[1]];
    EXPECT_EQ(each.bytes, 3 * sum.bytes);
    EXPECT_NE(each.buffer, sum.buffer);
    EXPECT_EQ(schedule.tasks[3].inputs.front().output, schedule.tasks[1].outputs[1]);
    EXPECT_NE(schedule.outputs[schedule.tasks[2].outputs[0]].buffer, sum.buffer) << "it reads it";
    EXPECT_EQ(schedule.outputs[schedule.tasks[3].outputs[0]].buffer, sum.buffer)
        << "all have read it";
}

TEST(Outputs, WhatNobodyReadsIsNeitherKeptRoomForNorComputed) {
    PipelineConfig config = twoOutputs();
    config.views.pop_back();
    const FrameSpec spec = codesSpec(3, 8, 64);
    const SnapshotPtr snapshot = instantiate(config, spec);
    const Schedule without = scheduleOf(*snapshot, 1);
    ASSERT_EQ(without.tasks.size(), 3U);
    EXPECT_EQ(without.tasks[1].outputs[1], Task::kUnread);
    EXPECT_EQ(programBytes(snapshot),
              programBytes(instantiate(chainOf({"to_float", "beamform", "envelope"}), spec)));
    config.views.front().from = {"out", "one_transmit"};
    const Schedule other = scheduleOf(*instantiate(config, spec), 1);
    EXPECT_EQ(other.tasks[1].outputs[0], Task::kUnread) << "the first one may go unread as well";
}

TEST(Outputs, LowResolutionImagesOfAGraphAddUpToTheSum) {
    const FrameSpec spec = codesSpec(3, 8, 256);
    std::vector<std::int16_t> codes(static_cast<std::size_t>(spec.count()));
    for (std::size_t i = 0; i < codes.size(); ++i)
        codes[i] = static_cast<std::int16_t>(i * 7919 % 1000);
    PipelineConfig config = twoOutputs();
    config.views.front().from = {"out", "beamform"};
    SnapshotPtr snapshot = instantiate(config, spec);
    Runner runner(Backend::Cpu, 1);
    std::vector<double> sum;
    for (std::int64_t transmit = 0; transmit < 3; ++transmit) {
        runner.apply(withValue(*snapshot, "one_transmit", "transmit", transmit + 1));
        const int slot = runner.enqueue({.raw = reinterpret_cast<const std::byte*>(codes.data())});
        const ConstTensorView one = runner.viewOutput(slot, 1);
        const auto count = static_cast<std::size_t>(one.spec->count());
        sum.resize(count);
        double most = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            sum[i] += one.as<float>()[i];
            most = std::max<double>(most, std::abs(one.as<float>()[i]));
        }
        EXPECT_GT(most, 0.0);
        if (transmit < 2) continue;
        const ConstTensorView all = runner.viewOutput(slot, 0);
        for (std::size_t i = 0; i < count; ++i)
            ASSERT_NEAR(sum[i], all.as<float>()[i], 1e-5 * most) << i;
    }
}

TEST(Outputs, AChainByItselfTakesTheSameOutput) {
    const SnapshotPtr snapshot = instantiate(twoOutputs(), codesSpec(3, 8, 64));
    const SnapshotPtr chain =
        instantiate(chainTo(*snapshot, {snapshot->indexOf("one_transmit")}), snapshot->input);
    EXPECT_EQ(chain->stages.back().sources.front(), (Source{1, 1}));
    const SnapshotPtr images = instantiate(chainTo(*snapshot, {1, 1}), snapshot->input);
    EXPECT_EQ(images->output().axes.size(), 3U);
}

/// The OCT chain up to k_linearize, and twice the rest.
PipelineConfig twoRemappings() {
    PipelineConfig config = shippedPipeline("oct");
    const auto at =
        std::ranges::find(config.stages, std::string("k_linearize"), &StageConfig::type);
    const std::vector<StageConfig> rest(at, config.stages.end());
    std::string before = std::prev(at)->id;
    config.views.push_back({"a", "", {"out", config.stages.back().id}});
    for (StageConfig stage : rest) {
        stage.id += "_2";
        config.links.push_back({{"out", before}, {"in", stage.id}});
        before = stage.id;
        config.stages.push_back(stage);
    }
    config.views.push_back({"b", "", {"out", before}});
    return config;
}

TEST(Graph, ABranchDoesNotLoseTheFusion) {
    const SnapshotPtr snapshot =
        instantiate(twoRemappings(), testing_support::spectraSpec(DType::U16, 32, 1024));
    const std::vector<Step> steps = planSteps(*snapshot, Backend::Cuda, {}, Fusing::Allowed);
    ASSERT_EQ(steps.size(), 2U);
    for (const Step& step : steps) {
        EXPECT_NE(step.fusion, nullptr);
        EXPECT_EQ(step.first(), 0U);
        EXPECT_EQ(step.inputs, std::vector<Source>{Source{}});
    }
    const Schedule schedule = makeSchedule(*snapshot, steps, {}, 4);
    EXPECT_EQ(schedule.lanes(), 2U);
    EXPECT_THAT(schedule.tasks[1].waits, ElementsAre(Task::kRecording));
    // Looked at in between, the part before the branch runs by itself.
    EXPECT_GT(planSteps(*snapshot, Backend::Cuda, {"k_linearize"}, Fusing::Allowed).size(), 2U);
}

TEST(Graph, ABranchThatCannotBeFusedLeavesTheOtherItsFusion) {
    const SnapshotPtr fusable =
        instantiate(twoRemappings(), testing_support::spectraSpec(DType::U16, 32, 1024));
    const SnapshotPtr snapshot = withValue(*fusable, "inverse_fft_2", "padding", "twice");
    const std::vector<Step> steps = planSteps(*snapshot, Backend::Cuda, {}, Fusing::Allowed);
    ASSERT_GT(steps.size(), 3U);
    EXPECT_NE(steps.front().fusion, nullptr);
    EXPECT_EQ(snapshot->stages[steps.front().last()].type->id, "magnitude_log");
    std::vector<std::size_t> alone;
    for (const Step& step : steps)
        if (step.fusion == nullptr) alone.push_back(step.first());
    EXPECT_EQ(alone.front(), 0U) << "what leads to the other";
}

TEST(Graph, AChainByItself) {
    const SnapshotPtr snapshot =
        instantiate(twoRemappings(), testing_support::spectraSpec(DType::U16, 32, 1024));
    const PipelineConfig chain = chainTo(*snapshot, &snapshot->stage("k_linearize"));
    EXPECT_EQ(chain.stages.back().type, "k_linearize");
    EXPECT_TRUE(chain.links.empty());
    EXPECT_NO_THROW(instantiate(chain, snapshot->input));
}

} // namespace
} // namespace echolux
