// SPDX-License-Identifier: GPL-3.0-or-later
// Snapshots and the runner: order, bypass, live and structural edits, refusal without loss.
#include "app/pipeline/runner.hpp"
#include "app/pipeline/steps.hpp"
#include "gpu/beamform/beamform_geometry.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/pipeline/test_frames.hpp"
#include "tests/support/program_bytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace echolux {
namespace {

using test::chainOf;
using test::codesSpec;
using testing_support::programBytes;

std::vector<std::int16_t> ramp(const FrameSpec& spec, std::int16_t offset) {
    std::vector<std::int16_t> codes(static_cast<std::size_t>(spec.count()));
    const auto samples = static_cast<std::size_t>(spec.sizeOf(AxisName::Sample));
    for (std::size_t i = 0; i < codes.size(); ++i)
        codes[i] = static_cast<std::int16_t>(i % samples + offset);
    return codes;
}

float firstSample(Runner& runner, const std::vector<std::int16_t>& codes) {
    std::vector<float> out(codes.size());
    const int slot = runner.enqueue({.raw = reinterpret_cast<const std::byte*>(codes.data()),
                                     .targets = {ViewTarget{out.data()}}});
    runner.wait(slot);
    return out[0];
}

TEST(Runner, RunsTheChainInOrder) {
    const FrameSpec spec = codesSpec(1, 2, 5);
    Runner runner(Backend::Cpu, 1);
    runner.apply(instantiate(chainOf({"to_float", "dc_removal"}), spec));
    EXPECT_FLOAT_EQ(firstSample(runner, ramp(spec, 100)), -2.0F); // ramp 100..104 less its mean 102
}

TEST(Runner, BypassPassesTheInputOn) {
    const FrameSpec spec = codesSpec(1, 2, 5);
    Runner runner(Backend::Cpu, 1);
    const SnapshotPtr on = instantiate(chainOf({"to_float", "dc_removal"}), spec);
    runner.apply(on);
    runner.apply(withBypass(*on, "dc_removal", true));
    // The last active stage writes the caller's output.
    EXPECT_FLOAT_EQ(firstSample(runner, ramp(spec, 100)), 100.0F);
}

/// The line less its mean, less the line.
TEST(Runner, AStageTakesTwoFrames) {
    const FrameSpec spec = codesSpec(1, 2, 5);
    PipelineConfig config = chainOf({"to_float", "dc_removal", "compare"});
    config.links.push_back({{"out", "to_float"}, {"in2", "compare"}});
    const SnapshotPtr difference = instantiate(config, spec);
    Runner runner(Backend::Cpu, 1);
    runner.apply(difference);
    EXPECT_FLOAT_EQ(firstSample(runner, ramp(spec, 100)), -102.0F);
    runner.apply(withValue(*difference, "compare", "gain", 10.0));
    EXPECT_FLOAT_EQ(firstSample(runner, ramp(spec, 100)), -1020.0F);
    runner.apply(withValue(*difference, "compare", "mode", "split"));
    EXPECT_FLOAT_EQ(firstSample(runner, ramp(spec, 100)), -2.0F);
    runner.apply(withBypass(*difference, "compare", true));
    EXPECT_FLOAT_EQ(firstSample(runner, ramp(spec, 100)), -2.0F) << "bypassed it passes A on";
}

TEST(Runner, LiveEditChangesTheNextFrameWithoutAllocating) {
    const FrameSpec spec = codesSpec(1, 2, 5);
    Runner runner(Backend::Cpu, 1);
    const SnapshotPtr before = instantiate(chainOf({"to_float"}), spec);
    runner.apply(before);
    const auto codes = ramp(spec, 3);
    EXPECT_FLOAT_EQ(firstSample(runner, codes), 3.0F);
    const auto allocations = memoryCounters().allocations;
    runner.apply(withValue(*before, "to_float", "scale", 2.0));
    EXPECT_FLOAT_EQ(firstSample(runner, codes), 6.0F);
    EXPECT_EQ(memoryCounters().allocations, allocations);
}

TEST(Runner, KeptOutputsStayReadable) {
    const FrameSpec spec = codesSpec(1, 1, 4);
    Runner runner(Backend::Cpu, 1);
    runner.apply(instantiate(chainOf({"to_float", "dc_removal"}), spec), {"to_float"});
    const auto codes = ramp(spec, 7);
    const int slot = runner.enqueue({.raw = reinterpret_cast<const std::byte*>(codes.data())});
    EXPECT_FLOAT_EQ(runner.keptOutput(slot, "to_float").as<float>()[0], 7.0F);
    EXPECT_FLOAT_EQ(runner.keptOutput(slot, "dc_removal").as<float>()[0], -1.5F);
}

TEST(Runner, AFurtherOutputIsKeptByItsName) {
    FrameSpec spec;
    spec.dtype = DType::ComplexF32;
    spec.axes = {{AxisName::Depth, 5, 1e-4, 0.0, "m"}, {AxisName::Lateral, 3, 1e-3, -1e-3, "m"}};
    spec.frameIntervalS = 1e-3;
    const SnapshotPtr snapshot = instantiate(chainOf({"spectral_doppler"}), spec);
    EXPECT_THROW(keptSource(*snapshot, "none@spectral_doppler"), Error);
    EXPECT_THROW(keptSource(*snapshot, "none"), Error);
    const std::vector<Complex> echoes(15, {3.0F, -4.0F});
    Runner runner(Backend::Cpu, 1);
    for (const bool kept : {true, false}) {
        runner.apply(snapshot, kept ? std::vector<std::string>{"pulses@spectral_doppler"}
                                    : std::vector<std::string>{});
        const int slot = runner.enqueue({.raw = reinterpret_cast<const std::byte*>(echoes.data())});
        const ConstTensorView pulses = runner.keptOutput(slot, "pulses@spectral_doppler");
        EXPECT_EQ(pulses.data != nullptr, kept);
        EXPECT_NE(runner.keptOutput(slot, "spectral_doppler").data, nullptr) << "it is shown";
        if (!kept) continue;
        EXPECT_FLOAT_EQ(pulses.as<Complex>()[pulses.spec->count() - 1].re, 3.0F);
        EXPECT_FLOAT_EQ(pulses.as<Complex>()[pulses.spec->count() - 1].im, -4.0F);
    }
}

TEST(Runner, TimesEveryStage) {
    const FrameSpec spec = codesSpec(3, 16, 500);
    Runner runner(Backend::Cpu, 1);
    runner.apply(instantiate(chainOf({"to_float", "dc_removal"}), spec));
    firstSample(runner, ramp(spec, 0));
    const FrameTiming& timing = runner.timing(0);
    ASSERT_EQ(timing.stepMs.size(), 2U);
    EXPECT_GT(timing.stepMs[0], 0.0);
    EXPECT_GE(timing.totalMs, timing.uploadMs + timing.stepMs[0] + timing.stepMs[1] - 1e-6);
}

TEST(Runner, StepsBeginWhenWhatWasBeforeThemHasEnded) {
    const FrameSpec spec = codesSpec(3, 16, 500);
    Runner runner(Backend::Cpu, 1);
    runner.apply(instantiate(chainOf({"to_float", "dc_removal", "tgc"}), spec));
    std::chrono::steady_clock::time_point before{};
    for (int frame = 0; frame < 3; ++frame) {
        const auto asked = std::chrono::steady_clock::now();
        firstSample(runner, ramp(spec, 0));
        const FrameTiming timing = runner.timing(0);
        EXPECT_TRUE(timing.isStepwise);
        EXPECT_GE(timing.startedAt, asked);
        EXPECT_GT(timing.startedAt, before);
        before = timing.startedAt;
        ASSERT_EQ(timing.stepStartMs.size(), 3U);
        EXPECT_NEAR(timing.stepStartMs[0], timing.uploadMs, 1e-9);
        for (std::size_t step = 1; step < 3; ++step)
            EXPECT_NEAR(timing.stepStartMs[step],
                        timing.stepStartMs[step - 1] + timing.stepMs[step - 1], 1e-9);
        EXPECT_LE(timing.stepStartMs[2] + timing.stepMs[2], timing.totalMs + 1e-9);
        EXPECT_EQ(runner.timing(0).startedAt, timing.startedAt) << "told again";
    }
    for (std::size_t step = 0; step < 3; ++step) EXPECT_EQ(runner.laneOf(step), 0U);
}

float runPixel(Runner& runner, float x, Turn turn) {
    float y = 0.0F;
    runner.enqueue(
        {.raw = reinterpret_cast<const std::byte*>(&x), .targets = {ViewTarget{&y}}, .turn = turn});
    return y;
}

TEST(Runner, AFrameRunAgainMeetsTheStateBeforeIt) {
    const FrameSpec spec = test::imageSpec(1, 1);
    Runner runner(Backend::Cpu, 1);
    const SnapshotPtr half = withValue(*instantiate(chainOf({"to_float", "persistence"}), spec),
                                       "persistence", "amount", 0.5);
    runner.apply(half);
    const auto run = [&](float x, Turn turn) { return runPixel(runner, x, turn); };
    EXPECT_FLOAT_EQ(run(8.0F, Turn::Again), 8.0F); // nothing to repeat: the first
    EXPECT_FLOAT_EQ(run(4.0F, Turn::Next), 6.0F);
    runner.apply(withValue(*half, "persistence", "amount", 0.75));
    const auto allocations = memoryCounters().allocations;
    EXPECT_FLOAT_EQ(run(4.0F, Turn::Again), 7.0F);
    EXPECT_FLOAT_EQ(run(4.0F, Turn::Again), 7.0F);
    EXPECT_FLOAT_EQ(run(11.0F, Turn::Next), 8.0F);
    runner.reset();
    EXPECT_FLOAT_EQ(run(2.0F, Turn::Next), 2.0F);
    EXPECT_EQ(memoryCounters().allocations, allocations);
}

TEST(Runner, FramesAsideHaveAPastOfTheirOwn) {
    const FrameSpec spec = test::imageSpec(1, 1);
    Runner runner(Backend::Cpu, 1);
    EXPECT_FALSE(runner.hasPast());
    runner.apply(withValue(*instantiate(chainOf({"to_float", "persistence"}), spec), "persistence",
                           "amount", 0.5));
    EXPECT_TRUE(runner.hasPast());
    const auto allocations = memoryCounters().allocations;
    const auto run = [&](float x, Turn turn) { return runPixel(runner, x, turn); };
    EXPECT_FLOAT_EQ(run(8.0F, Turn::Next), 8.0F);
    EXPECT_FLOAT_EQ(run(100.0F, Turn::Aside), 100.0F) << "the first of them";
    EXPECT_FLOAT_EQ(run(4.0F, Turn::Next), 6.0F);
    EXPECT_FLOAT_EQ(run(200.0F, Turn::Aside), 150.0F);
    EXPECT_FLOAT_EQ(run(4.0F, Turn::Again), 6.0F);
    EXPECT_FLOAT_EQ(run(0.0F, Turn::Aside), 75.0F);
    runner.resetAside();
    EXPECT_FLOAT_EQ(run(30.0F, Turn::Aside), 30.0F);
    EXPECT_FLOAT_EQ(run(2.0F, Turn::Next), 4.0F);
    EXPECT_EQ(memoryCounters().allocations, allocations);
}

/// Hands its input on, or fails.
class FailsSometimes final : public Filter {
public:
    static bool s_fails;
    static StagePlan plan(const FrameSpec& input, const Params&) { return {.outputs = {input}}; }
    void update(const Exec&, const Params&) override {}
    void run(const Exec&, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        if (s_fails) throw Error("as it should");
        std::copy_n(input.as<float>(), input.spec->count(), output.as<float>());
    }
};
bool FailsSometimes::s_fails = false;

TEST(Runner, AFrameThatFailsIsAsIfItHadNotBeen) {
    StageType failing = stageType("median");
    failing.code = codeOf<FailsSometimes>();
    const SnapshotPtr half = withValue(
        *instantiate(chainOf({"to_float", "persistence", "median"}), test::imageSpec(1, 1)),
        "persistence", "amount", 0.5);
    auto snapshot = std::make_shared<Snapshot>(*half);
    snapshot->stages[2].type = &failing;
    Runner runner(Backend::Cpu, 1);
    runner.apply(snapshot);
    const auto run = [&](float x, Turn turn, bool fails) {
        FailsSometimes::s_fails = fails;
        return runPixel(runner, x, turn);
    };
    EXPECT_THROW(run(50.0F, Turn::Next, true), Error);
    EXPECT_FLOAT_EQ(run(8.0F, Turn::Next, false), 8.0F) << "the first one";
    for (int i = 0; i < 3; ++i) EXPECT_THROW(run(100.0F, Turn::Next, true), Error);
    EXPECT_FLOAT_EQ(run(4.0F, Turn::Next, false), 6.0F);
    EXPECT_THROW(run(100.0F, Turn::Next, true), Error);
    EXPECT_FLOAT_EQ(run(0.0F, Turn::Again, false), 3.0F) << "in place of the one that failed";
    EXPECT_FLOAT_EQ(run(1.0F, Turn::Next, false), 2.0F);
    EXPECT_THROW(run(100.0F, Turn::Next, true), Error);
    runner.reset();
    EXPECT_FLOAT_EQ(run(5.0F, Turn::Next, false), 5.0F);
    EXPECT_FLOAT_EQ(run(7.0F, Turn::Next, false), 6.0F);
}

/// Every kind of buffer: kept outputs, states, delay tables.
TEST(Runner, TakesAsMuchMemoryAsItSays) {
    const FrameSpec spec = codesSpec(3, 8, 200);
    const std::vector<std::string> chain{"to_float", "iq_demod",    "beamform",       "envelope",
                                         "tgc",      "persistence", "log_compression"};
    const SnapshotPtr plain = instantiate(chainOf(chain), spec);
    const SnapshotPtr tables =
        withValue(*plain, "beamform", "delays", ParamValue(std::string("table")));
    Runner runner(Backend::Cpu, 1);
    for (const SnapshotPtr& snapshot : {plain, tables}) {
        runner.release();
        const auto before = memoryCounters().bytesHostHeld;
        runner.apply(snapshot, {"envelope"});
        EXPECT_EQ(memoryCounters().bytesHostHeld - before, programBytes(snapshot, {"envelope"}));
    }
    // 8 elements over all pixels, 3 waves straight down over the rows, and where the tables are.
    const auto pixels = static_cast<std::size_t>(tables->output().count());
    const auto rows = static_cast<std::size_t>(tables->output().sizeOf(AxisName::Depth));
    EXPECT_EQ(programBytes(tables) - programBytes(plain),
              (8 * pixels + 3 * rows) * sizeof(float) + (8 + 3) * sizeof(das::TableSteps));
    runner.release();
    EXPECT_EQ(runner.snapshot(), nullptr);
}

TEST(Snapshot, RefusesWhatAStageCannotTake) {
    try {
        instantiate(chainOf({"dc_removal"}), codesSpec(1, 1, 4)); // i16 without to_float
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(),
                    testing::AllOf(testing::HasSubstr("dc_removal"), testing::HasSubstr("i16")));
    }
}

TEST(Snapshot, RefusedEditsLeaveTheOldOneAlone) {
    const SnapshotPtr before = instantiate(chainOf({"to_float"}), codesSpec(1, 1, 4));
    EXPECT_THROW(withValue(*before, "to_float", "scale", std::nan("")), Error);
    EXPECT_THROW(withValue(*before, "nowhere", "scale", 1.0), Error);
    EXPECT_EQ(before->stage("to_float").params, before->stage("to_float").defaults);
}

TEST(Snapshot, OnlyDifferencesFromTheDefaultsAreWritten) {
    const SnapshotPtr before = instantiate(chainOf({"to_float", "dc_removal"}), codesSpec(1, 1, 4));
    EXPECT_TRUE(toConfig(*before).stages[0].values.empty());
    const SnapshotPtr after = withValue(*before, "to_float", "scale", 3.0);
    ASSERT_EQ(toConfig(*after).stages[0].values.size(), 1U);
    EXPECT_TRUE(differsOnlyLive(*before, *after));
    EXPECT_FALSE(differsOnlyLive(*before, *withBypass(*before, "dc_removal", true)));
}

} // namespace
} // namespace echolux
