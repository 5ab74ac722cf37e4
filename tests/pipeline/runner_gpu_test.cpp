// SPDX-License-Identifier: GPL-3.0-or-later
// The runner on CUDA: frames in flight on several streams, and requests that do not fit.
#include "app/pipeline/runner.hpp"
#include "gpu/core/error.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/pipeline/test_frames.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/near.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>

namespace echolux {
namespace {

using test::chainOf;
using test::codesSpec;

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// Takes all GPU memory but about `left` bytes.
std::vector<Buffer> fillGpu(std::size_t left) {
    std::vector<Buffer> held;
    for (std::size_t piece = std::size_t{8} << 30; piece >= 16 * kMiB; piece /= 2) {
        while (device::freeBytes() > left + piece) held.emplace_back(MemoryKind::Device, piece);
    }
    return held;
}

TEST(RunnerGpu, FramesInFlightKeepApart) {
    ECHOLUX_NEED_GPU();
    constexpr int kSlots = 3;
    const FrameSpec spec = codesSpec(2, 16, 300);
    Runner runner(Backend::Cuda, kSlots);
    const SnapshotPtr snapshot = instantiate(chainOf({"to_float", "dc_removal"}), spec);
    runner.apply(snapshot);
    const auto count = static_cast<std::size_t>(spec.count());
    const Buffer raw(MemoryKind::Pinned, kSlots * spec.bytes());
    const Buffer out(MemoryKind::Device, kSlots * snapshot->output().bytes());
    std::vector<float> host(kSlots * count);
    for (std::int16_t round = 0; round < 20; ++round) {
        for (int s = 0; s < kSlots; ++s) {
            auto* codes = raw.as<std::int16_t>() + static_cast<std::size_t>(s) * count;
            // A ramp whose slope tells the frame; less its mean, its first sample is -149.5 slopes.
            for (std::size_t i = 0; i < count; ++i) {
                codes[i] = static_cast<std::int16_t>((round + s + 1) * static_cast<int>(i % 300));
            }
            float* image = out.as<float>() + static_cast<std::size_t>(s) * count;
            runner.enqueue(
                {.raw = reinterpret_cast<const std::byte*>(codes), .targets = {ViewTarget{image}}});
        }
        runner.drain();
        download(runner.exec(0), host.data(), out.data(), out.bytes());
        runner.drain();
        for (int s = 0; s < kSlots; ++s) {
            ASSERT_NEAR(host[static_cast<std::size_t>(s) * count],
                        -149.5F * static_cast<float>(round + s + 1), 0.1F);
        }
    }
}

TEST(RunnerGpu, TooLargeARequestIsRefusedAndWhatRanGoesOn) {
    ECHOLUX_NEED_GPU();
    const FrameSpec small = codesSpec(1, 2, 8);
    const FrameSpec large = codesSpec(64, 128, 4096);
    Runner runner(Backend::Cuda, 3);
    runner.apply(instantiate(chainOf({"to_float"}), small));
    const std::vector<Buffer> held = fillGpu(64 * kMiB);
    try {
        runner.apply(instantiate(chainOf({"to_float", "dc_removal"}), large));
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(),
                    testing::AllOf(testing::HasSubstr("GPU memory"), testing::HasSubstr("are free"),
                                   testing::HasSubstr("CPU backend")));
    }
    const std::vector<std::int16_t> codes(16, 7);
    const Buffer out(MemoryKind::Device, 16 * sizeof(float));
    const int slot = runner.enqueue({.raw = reinterpret_cast<const std::byte*>(codes.data()),
                                     .targets = {ViewTarget{out.data()}}});
    runner.wait(slot);
    float first = 0.0F;
    download(runner.exec(slot), &first, out.data(), sizeof(first));
    runner.drain();
    EXPECT_FLOAT_EQ(first, 7.0F);
}

/// Two branches of unlike length, compared; the last stage carries a state.
PipelineConfig branched() {
    PipelineConfig config = chainOf({"to_float", "dc_removal", "tgc"});
    config.stages.push_back({"other", "bandpass"});
    config.stages.push_back({"difference", "compare"});
    config.stages.push_back({"shown", "linear_map"});
    config.links = {{{"out", "to_float"}, {"in", "other"}},
                    {{"out", "tgc"}, {"in", "difference"}},
                    {{"out", "other"}, {"in2", "difference"}}};
    config.views = {{"a", "", {"out", "shown"}}, {"b", "", {"out", "other"}}};
    return config;
}

/// Images of both views of `frames` frames, with a live edit in the middle and every third frame
/// run again; `onHost`: stages that run there.
std::vector<std::vector<float>> imagesOf(Backend backend, bool captured, int frames,
                                         const std::vector<std::string>& onHost = {}) {
    const FrameSpec spec = codesSpec(2, 16, 300);
    Runner runner(backend, 3);
    runner.setCapturing(captured);
    SnapshotPtr snapshot = instantiate(branched(), spec);
    for (const std::string& stage : onHost) snapshot = withOnCpu(*snapshot, stage, true);
    runner.apply(snapshot);
    const auto count = static_cast<std::size_t>(spec.count());
    const std::array<std::size_t, 2> bytes{snapshot->outputOf(snapshot->views[0].source).bytes(),
                                           snapshot->outputOf(snapshot->views[1].source).bytes()};
    const Buffer raw(stagingMemory(backend), static_cast<std::size_t>(frames) * spec.bytes());
    // Few targets, taken in turns, as a mailbox has them.
    constexpr std::size_t kTargets = 5;
    const Buffer a(computeMemory(backend), kTargets * bytes[0]);
    const Buffer b(computeMemory(backend), kTargets * bytes[1]);
    std::vector<std::vector<float>> images;
    for (int f = 0; f < frames; ++f) {
        auto* codes = raw.as<std::int16_t>() + static_cast<std::size_t>(f) * count;
        for (std::size_t i = 0; i < count; ++i)
            codes[i] =
                static_cast<std::int16_t>((i * 37 + static_cast<std::size_t>(f) * 101) % 997);
        if (f == frames / 2) {
            snapshot = withValue(*snapshot, "difference", "gain", 3.0);
            runner.apply(snapshot);
        }
        const std::size_t target = static_cast<std::size_t>(f) % kTargets;
        const ViewTargets targets{ViewTarget{a.as<std::byte>() + target * bytes[0]},
                                  ViewTarget{b.as<std::byte>() + target * bytes[1]}};
        for (int times = f % 3 == 2 ? 2 : 1; times > 0; --times) {
            const int slot =
                runner.enqueue({.raw = reinterpret_cast<const std::byte*>(codes),
                                .targets = targets,
                                .turn = times == 1 && f % 3 == 2 ? Turn::Again : Turn::Next,
                                .frame = f});
            if (times > 1) continue;
            const std::array<const void*, 2> from{targets[0].pixels, targets[1].pixels};
            for (std::size_t view = 0; view < from.size(); ++view) {
                auto& image = images.emplace_back(bytes[view] / sizeof(float));
                download(runner.exec(slot), image.data(), from[view], bytes[view]);
            }
            if (f % 4 == 3) runner.drain();
        }
    }
    runner.drain();
    EXPECT_EQ(runner.capturedFrames() > 0, captured) << "of " << frames << " frames";
    return images;
}

TEST(RunnerGpu, BranchesComputeWhatTheCpuDoes) {
    ECHOLUX_NEED_GPU();
    const auto cpu = imagesOf(Backend::Cpu, false, 7);
    const auto cuda = imagesOf(Backend::Cuda, false, 7);
    ASSERT_EQ(cuda.size(), cpu.size());
    for (std::size_t i = 0; i < cpu.size(); ++i) test::expectNear(cuda[i], cpu[i], 1e-4, 1e-4);
}

TEST(RunnerGpu, CapturedFramesAreTheSame) {
    ECHOLUX_NEED_GPU();
    constexpr int kFrames = 240;
    EXPECT_EQ(imagesOf(Backend::Cuda, true, kFrames), imagesOf(Backend::Cuda, false, kFrames));
}

/// Views are drawn at their own pace, so that their images meet in every combination.
TEST(RunnerGpu, NewCombinationsOfTargetsAreNotCapturedAnew) {
    ECHOLUX_NEED_GPU();
    const FrameSpec spec = codesSpec(2, 16, 300);
    Runner runner(Backend::Cuda, 3);
    const SnapshotPtr snapshot = instantiate(branched(), spec);
    runner.apply(snapshot);
    const std::size_t bytesA = snapshot->outputOf(snapshot->views[0].source).bytes();
    const std::size_t bytesB = snapshot->outputOf(snapshot->views[1].source).bytes();
    const Buffer raw(MemoryKind::Pinned, spec.bytes());
    std::fill_n(raw.as<std::int16_t>(), spec.count(), std::int16_t{1});
    constexpr std::size_t kTargetsA = 5;
    constexpr std::size_t kTargetsB = 7;
    const Buffer a(MemoryKind::Device, kTargetsA * bytesA);
    const Buffer b(MemoryKind::Device, kTargetsB * bytesB);
    const auto play = [&](std::size_t frames) {
        for (std::size_t f = 0; f < frames; ++f) {
            runner.wait(runner.enqueue(
                {.raw = raw.as<std::byte>(),
                 .targets = {ViewTarget{a.as<std::byte>() + f % kTargetsA * bytesA},
                             ViewTarget{b.as<std::byte>() + f % kTargetsB * bytesB}}}));
        }
    };
    play(400);
    const std::size_t captures = runner.captures();
    EXPECT_GT(captures, 0U);
    play(400);
    EXPECT_EQ(runner.captures(), captures);
    EXPECT_GT(runner.capturedFrames(), 700U);
    // A live edit leaves no frame to be enqueued step by step.
    const std::size_t before = runner.capturedFrames();
    runner.apply(withValue(*snapshot, "difference", "gain", 3.0));
    play(100);
    EXPECT_EQ(runner.capturedFrames(), before + 100);
}

/// A type of stage that fails, and has no form for CUDA.
class Failing final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params&) { return {.outputs = {input}}; }
    void update(const Exec&, const Params&) override {}
    void run(const Exec& exec, const ConstTensorView&, const TensorView&,
             const Workspace&) override {
        throw Error(exec.backend == Backend::Cpu ? "as it should" : "on CUDA");
    }
};

TEST(RunnerGpu, StagesOnTheHostComputeTheSameAndTheirCopiesAreCounted) {
    ECHOLUX_NEED_GPU();
    constexpr int kFrames = 120; // each kind of frame comes several times
    constexpr std::uint64_t kRuns = kFrames + kFrames / 3;
    const auto images = imagesOf(Backend::Cpu, false, kFrames);
    for (const bool captured : {false, true}) {
        const std::uint64_t before = memoryCounters().deviceToHost;
        const auto mixed = imagesOf(Backend::Cuda, captured, kFrames, {"other", "shown"});
        // Both images of each frame, and two inputs of stages whenever one is run.
        EXPECT_EQ(memoryCounters().deviceToHost - before, 2U * kFrames + 2U * kRuns);
        ASSERT_EQ(mixed.size(), images.size());
        for (std::size_t i = 0; i < images.size(); ++i)
            test::expectNear(mixed[i], images[i], 1e-4, 1e-4);
    }
}

TEST(RunnerGpu, AStageWithoutAFormForCudaRunsOnTheHostAndItsFailureIsSaid) {
    ECHOLUX_NEED_GPU();
    const FrameSpec spec = codesSpec(1, 2, 8);
    StageType failing = stageType("dc_removal");
    failing.hasCuda = false;
    failing.code = codeOf<Failing>();
    auto snapshot =
        std::make_shared<Snapshot>(*instantiate(chainOf({"to_float", "dc_removal", "tgc"}), spec));
    snapshot->stages[1].type = &failing;
    Runner runner(Backend::Cuda, 2);
    runner.apply(snapshot);
    EXPECT_EQ(runner.crossings().toHost, 1U);
    EXPECT_EQ(runner.crossings().bytesToDevice, 2U * 8U * sizeof(float));
    const Buffer raw(MemoryKind::Pinned, spec.bytes());
    for (int frame = 0; frame < 6; ++frame) {
        const int slot = runner.enqueue({.raw = raw.as<std::byte>()});
        try {
            runner.wait(slot);
            FAIL() << "nothing said";
        } catch (const Error& error) {
            EXPECT_STREQ(error.what(), "as it should");
        }
    }
}

/// Hands its input on, or fails while it enqueues.
class FailsOnCuda final : public Filter {
public:
    static bool s_fails;
    static StagePlan plan(const FrameSpec& input, const Params&) { return {.outputs = {input}}; }
    void update(const Exec&, const Params&) override {}
    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        if (s_fails) throw Error("as it should");
        copyWithin(exec, output.data, input.data, input.spec->bytes());
    }
};
bool FailsOnCuda::s_fails = false;

TEST(RunnerGpu, AFrameThatFailsIsAsIfItHadNotBeen) {
    ECHOLUX_NEED_GPU();
    constexpr int kSlots = 3;
    const FrameSpec spec = test::imageSpec(1, 1);
    StageType failing = stageType("median");
    failing.code = codeOf<FailsOnCuda>();
    auto snapshot = std::make_shared<Snapshot>(
        *withValue(*instantiate(chainOf({"to_float", "persistence", "median"}), spec),
                   "persistence", "amount", 0.5));
    snapshot->stages[2].type = &failing;
    Runner runner(Backend::Cuda, kSlots);
    runner.setCapturing(false); // run() is not called for frames that were captured
    runner.apply(snapshot);
    const Buffer raw(MemoryKind::Pinned, spec.bytes());
    float before = 0.0F;
    for (int frame = 0; frame < 40; ++frame) {
        *raw.as<float>() = 1000.0F;
        FailsOnCuda::s_fails = true;
        for (int i = 0; i < frame % 5; ++i)
            EXPECT_THROW(runner.enqueue({.raw = raw.as<std::byte>()}), Error);
        FailsOnCuda::s_fails = false;
        const auto value = static_cast<float>(frame * frame);
        *raw.as<float>() = value;
        const int slot = runner.enqueue({.raw = raw.as<std::byte>()});
        EXPECT_EQ(slot, frame % kSlots);
        runner.wait(slot);
        float seen = 0.0F;
        download(runner.exec(slot), &seen, runner.viewOutput(slot, 0).data, sizeof(seen));
        runner.drain();
        before = frame == 0 ? value : 0.5F * (before + value);
        EXPECT_FLOAT_EQ(seen, before) << "frame " << frame;
    }
}

TEST(RunnerGpu, CapturedFramesAreTimedStepByStep) {
    ECHOLUX_NEED_GPU();
    const FrameSpec spec = codesSpec(8, 64, 2000);
    Runner runner(Backend::Cuda, 1);
    runner.timeEveryFrame();
    runner.apply(instantiate(branched(), spec));
    const Buffer raw(MemoryKind::Pinned, spec.bytes());
    for (int frame = 0; frame < 5; ++frame) {
        runner.wait(runner.enqueue({.raw = raw.as<std::byte>()}));
        const FrameTiming& timing = runner.timing(0);
        double sum = 0.0;
        for (const double ms : timing.stepMs) {
            EXPECT_GT(ms, 0.0);
            sum += ms;
        }
        EXPECT_GT(timing.totalMs, 0.0);
        EXPECT_LT(timing.totalMs, timing.uploadMs + sum + 10.0);
    }
    EXPECT_GE(runner.capturedFrames(), 2U); // by turns in two states
}

TEST(RunnerGpu, StepsHaveTheirTimesOnTheHostsClock) {
    ECHOLUX_NEED_GPU();
    using Clock = std::chrono::steady_clock;
    using Milliseconds = std::chrono::duration<double, std::milli>;
    const FrameSpec spec = codesSpec(8, 64, 2000);
    constexpr int kSlots = 3;
    Runner runner(Backend::Cuda, kSlots);
    runner.timeEveryFrame();
    runner.apply(instantiate(branched(), spec));
    const Buffer raw(MemoryKind::Pinned, spec.bytes());
    for (int round = 0; round < 8; ++round) {
        const Clock::time_point asked = Clock::now();
        for (int slot = 0; slot < kSlots; ++slot) runner.enqueue({.raw = raw.as<std::byte>()});
        for (int slot = 0; slot < kSlots; ++slot) {
            runner.wait(slot);
            const FrameTiming timing = runner.timing(slot);
            const Clock::time_point read = Clock::now();
            EXPECT_TRUE(timing.isStepwise);
            EXPECT_GE(timing.startedAt, asked);
            const Milliseconds total(timing.totalMs);
            EXPECT_LE(timing.startedAt + total, read + std::chrono::microseconds(1));
            for (std::size_t step = 0; step < timing.stepMs.size(); ++step) {
                EXPECT_GE(timing.stepStartMs[step], timing.uploadMs - 1e-3) << step;
                EXPECT_LE(timing.stepStartMs[step] + timing.stepMs[step], timing.totalMs + 1e-3)
                    << step;
            }
            EXPECT_EQ(runner.timing(slot).startedAt, timing.startedAt) << "told again";
        }
    }
    EXPECT_GT(runner.capturedFrames(), 0U);
}

TEST(RunnerGpu, OneFrameInEightIsTimedStepByStepUnlessAllAre) {
    ECHOLUX_NEED_GPU();
    const FrameSpec spec = codesSpec(2, 16, 300);
    Runner runner(Backend::Cuda, 1);
    runner.apply(instantiate(chainOf({"to_float", "dc_removal"}), spec));
    const Buffer raw(MemoryKind::Pinned, spec.bytes());
    const auto stepwise = [&](int frames) {
        int count = 0;
        for (int frame = 0; frame < frames; ++frame) {
            runner.wait(runner.enqueue({.raw = raw.as<std::byte>()}));
            count += runner.timing(0).isStepwise ? 1 : 0;
        }
        return count;
    };
    stepwise(32); // captures both kinds
    EXPECT_EQ(stepwise(32), 4);
    runner.timeEveryFrame();
    EXPECT_EQ(stepwise(32), 32);
    runner.timeEveryFrame(false);
    EXPECT_EQ(stepwise(32), 4);
}

} // namespace
} // namespace echolux
