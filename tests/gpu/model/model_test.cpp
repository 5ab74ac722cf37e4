// SPDX-License-Identifier: GPL-3.0-or-later
// Properties of the three models and of the rules for active blocks, by closed forms.
#include "gpu/model/occupancy.hpp"
#include "gpu/model/prediction.hpp"
#include "tests/gpu/model/published_devices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace echolux::model {
namespace {

TEST(Equations, TheMemoryRoofIsOperationsPerSecond) {
    // 134 bytes from global, 1089 from shared memory take one nanosecond each.
    const std::array memories{Work{134, 134e9}, Work{1089, 1089e9}};
    EXPECT_NEAR(memorySeconds(memories), 2e-9, 1e-18);
    EXPECT_NEAR(memoryRoof(memories, 2.0), 2.0 * (134 + 1089) / 2e-9, 1.0);
    EXPECT_DOUBLE_EQ(utilisationRoofline(3.0, 2.0), 2.0);
    EXPECT_DOUBLE_EQ(utilisationRoofline(1.0, 2.0), 1.0);
}

TEST(Equations, WorkOfNoAmountTakesNoTime) {
    EXPECT_DOUBLE_EQ(computeRoof({}), 0.0);
    EXPECT_DOUBLE_EQ(pipelineSeconds({0.0, 0.0}), 0.0);
    EXPECT_DOUBLE_EQ(hiddenOperations(0, 0, 3), 0.0);
    EXPECT_DOUBLE_EQ(unhiddenSeconds({5.0, 1.0}, 1.0, 6.0), 0.0);
}

TEST(Equations, OffsetsWidenTheTimeOfAPart) {
    const Interval offsets = offsetTime(100.0, 50.0, 20.0);
    EXPECT_EQ(offsets, (Interval{2.0, 5.0}));
    EXPECT_EQ(partTime(1.0, 3.0, offsets), (Interval{5.0, 8.0}));
    EXPECT_DOUBLE_EQ((Interval{5.0, 8.0}).middle(), 6.5);
}

/// The document's example below Eq. 5.3: 10 operations of FFMA, 2 of FMUL and 8 of FADD per thread
/// reach 725.7 of the 1088.6 Goperations/s of a GTX 470. Its memory roof is that of Eq. 5.4.
TEST(Roofline, IsAsHighAsTheMixOfOperationsAndOfMemories) {
    const Device card = gtx470();
    const Kernel kernel{
        "mix",
        {1e4, 256.0},
        {{.globalBytes = 4e6, .sharedBytes = 8e6, .ffma = 5e6, .fmul = 2e6, .fadd = 8e6}}};
    const RooflineTimes times = rooflineTimes(kernel, card);
    EXPECT_NEAR(20e6 / times.compute, 725.7e9, 0.4e9); // the card's rates are rounded to 1e9
    EXPECT_DOUBLE_EQ(times.memory, 4e6 / card.theory.global + 8e6 / card.theory.shared);
    EXPECT_DOUBLE_EQ(rooflineTime(kernel, card), std::max(times.compute, times.memory));
}

TEST(PlainModel, SharedMemoryIsIgnoredBesideGlobalMemory) {
    const Device card = gtx470();
    const Part both{.globalBytes = 134e3, .sharedBytes = 1e9};
    EXPECT_NEAR(plainPart(both, card.theory, 3).memory, 1e-6, 1e-15);
    const Part alone{.sharedBytes = 1089e3};
    EXPECT_NEAR(plainPart(alone, card.theory, 3).memory, 1e-6, 1e-15);
}

// The rows of the CUDA occupancy calculator for compute capability 9.0.
TEST(Occupancy, TheScarcestResourceDecides) {
    const Limits hopper{80e9, 50e6, 2048, 32, 65536, 233472, 1024};
    EXPECT_DOUBLE_EQ(occupancyOf({1, 256, 32, 0}, hopper).blocks, 8.0);      // threads
    EXPECT_DOUBLE_EQ(occupancyOf({1, 32, 32, 0}, hopper).blocks, 32.0);      // blocks
    EXPECT_DOUBLE_EQ(occupancyOf({1, 256, 128, 0}, hopper).blocks, 2.0);     // registers
    EXPECT_DOUBLE_EQ(occupancyOf({1, 256, 33, 0}, hopper).blocks, 6.0);      // registers in pieces
    EXPECT_DOUBLE_EQ(occupancyOf({1, 128, 32, 49152}, hopper).blocks, 4.0);  // shared memory
    EXPECT_DOUBLE_EQ(occupancyOf({1, 128, 32, 233472}, hopper).blocks, 0.0); // none fits
}

TEST(Occupancy, SaysHowManyThreadsAreActiveAndWhatPermitsNoMore) {
    const Limits hopper{80e9, 50e6, 2048, 32, 65536, 233472, 1024};
    const Occupancy registers = occupancyOf({1, 256, 128, 0}, hopper);
    EXPECT_DOUBLE_EQ(registers.threads, 2.0 * 256.0 / 2048.0);
    EXPECT_EQ(registers.limit, "registers");
    EXPECT_EQ(occupancyOf({1, 256, 32, 0}, hopper).limit, "threads");
    EXPECT_EQ(occupancyOf({1, 32, 32, 0}, hopper).limit, "blocks");
    EXPECT_EQ(occupancyOf({1, 128, 32, 49152}, hopper).limit, "shared memory");
    EXPECT_TRUE(occupancyOf({1, 128, 32, 49152}, {}).limit.empty()) << "nothing is known";
}

// Gronvold 2008, 3.3.1: up to 10 registers and 5 floats of shared memory per thread, these block
// sizes fill 24 warps of a multiprocessor of compute capability 1.0. A block takes 16 bytes more.
TEST(Occupancy, TheBlocksOfGronvoldFillATeslaC870) {
    const Limits tesla{.threads = 768, .blocks = 8, .registers = 8192, .sharedBytes = 16384};
    for (const double threads : {96.0, 128.0, 192.0, 256.0, 384.0}) {
        const Occupancy most = occupancyOf({1, threads, 8, 5.0 * 4.0 * threads + 16.0}, tesla);
        EXPECT_DOUBLE_EQ(most.threads, 1.0) << threads;
    }
}

// Compute capability 6.1: 96 KiB of a multiprocessor, of which a block may have 48.
TEST(Occupancy, ABlockMayHaveLessSharedMemoryThanItsMultiprocessor) {
    const Limits pascal{.sharedBytes = 98304, .blockSharedBytes = 49152};
    EXPECT_DOUBLE_EQ(pascal.mostShared(), 49152.0);
    EXPECT_DOUBLE_EQ(occupancyOf({1, 128, 32, 49152}, pascal).blocks, 2.0);
    EXPECT_DOUBLE_EQ(occupancyOf({1, 128, 32, 49280}, pascal).blocks, 0.0);
    EXPECT_DOUBLE_EQ((Limits{.sharedBytes = 233472, .sharedReserve = 1024}.mostShared()), 232448.0);
}

TEST(Occupancy, MultiprocessorsThatHaveMoreBlocksTakeLonger) {
    EXPECT_DOUBLE_EQ(unevenness({14, 768}, 14), 1.0);
    EXPECT_DOUBLE_EQ(unevenness({15, 768}, 14), 2.0 / (15.0 / 14.0));
    EXPECT_DOUBLE_EQ(unevenness({7, 768}, 14), 2.0);
}

// Blocks whose work falls from twice the mean to nothing: two per multiprocessor. The last ones
// fill what the first ones leave.
TEST(Occupancy, HeavyBlocksComeFirst) {
    EXPECT_DOUBLE_EQ(unevenness({.blocks = 4, .heaviest = 1.0}, 4), 1.0);
    EXPECT_DOUBLE_EQ(unevenness({.blocks = 4, .heaviest = 2.0}, 4), 2.0 / 1.25);
    const double two = unevenness({.blocks = 200, .heaviest = 2.0}, 100);
    EXPECT_GT(two, 1.0);
    EXPECT_LT(two, 1.02);
    const double most = unevenness({.blocks = 150, .heaviest = 2.0}, 100);
    EXPECT_GT(most, 1.3);
    EXPECT_DOUBLE_EQ(unevenness({.blocks = 12800, .heaviest = 2.0}, 100), 1.0);
}

/// A card on which nothing waits.
class ImprovedModel : public testing::Test {
protected:
    static constexpr double kNothing = 1e-21; // s; 0 would mean that it is not known
    Device card = [] {
        Device device = gtx470();
        device.measured.global = 120e9;
        device.theory.cache = 300e9;
        for (double Rates::*wait : {&Rates::latency, &Rates::cacheLatency, &Rates::sharedLatency,
                                    &Rates::step, &Rates::fetch})
            device.theory.*wait = kNothing;
        return device;
    }();
};

// 3, 4 and 12 ms by themselves.
TEST_F(ImprovedModel, ResourcesOfACardAreAddedInSquares) {
    card.theory.issue = 1e12;
    const Part work{.globalBytes = 3e-3 * 120e9, .sharedBytes = 4e-3 * 1089e9, .offsets = 12e9};
    card.theory.offsetHigh = card.theory.offsetLow = 1e15;
    EXPECT_NEAR(predict(Kernel{"kernel", {1400, 256, 16, 0}, {work}}, card).improved.middle(),
                13e-3, 1e-9);
}

// By hand: 2 blocks of 64 threads. Per thread 8 loads from device memory, 2 at a time; 4 accesses
// to shared memory, 2 at a time; 20 instructions, 2 at a time, or fetched one by one.
TEST_F(ImprovedModel, ABlockByItselfWaitsForWhatNothingHides) {
    card.theory.latency = card.theory.cacheLatency = 1e-6;
    card.theory.sharedLatency = 1e-7;
    card.theory.step = 1e-8;
    card.theory.fetch = 1e-7;
    Part part{.globalBytes = 128.0 * 64, .sharedBytes = 128.0 * 32, .offsets = 128.0 * 20};
    part.independent = 2.0;
    const auto seconds = [&] {
        return predict(Kernel{"kernel", {2, 64, 16, 0}, {part}}, card).improved.middle();
    };
    const double looped = seconds();
    EXPECT_NEAR(looped, 4e-6 + 2e-7 + 1e-7, 0.15e-6); // and what the work itself takes
    part.straight = true;
    EXPECT_NEAR(seconds() - looped, 20 * 1e-7 - 1e-7, 1e-12);
}

// By hand: 14 multiprocessors hold 6 of these blocks each, so 840 blocks take 10 rounds, each as
// long as the chain of 20 instructions of a thread.
TEST_F(ImprovedModel, BlocksThatFindNoPlaceWaitForARound) {
    card.theory.step = 1e-6;
    Part part{.offsets = 840.0 * 256.0 * 20.0};
    part.independent = 1.0;
    const KernelPrediction predicted = predict(Kernel{"chain", {840, 256, 16, 0}, {part}}, card);
    EXPECT_DOUBLE_EQ(predicted.occupancy.blocks, 6.0);
    EXPECT_NEAR(predicted.improved.middle(), 10 * 20e-6, 1e-12);
    EXPECT_EQ(predicted.bound, Bound::Latency);
    EXPECT_DOUBLE_EQ(predicted.latency, predicted.improved.low);
}

TEST_F(ImprovedModel, TellsTheTimesOfEachPart) {
    card.theory.issue = 0.0;
    const Kernel kernel{"kernel",
                        {1400, 256, 16, 0},
                        {Part{.name = "fetch", .globalBytes = 120e6, .sharedBytes = 1089e3},
                         Part{.name = "sum", .ffma = 544.5e6, .special = 68e3, .offsets = 272e6}}};
    const std::vector<PartPrediction> parts = predict(kernel, card).parts;
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0].name, "fetch");
    EXPECT_NEAR(parts[0].memory, 1e-3, 1e-9);
    EXPECT_NEAR(parts[0].shared, 1e-6, 1e-9);
    EXPECT_NEAR(parts[0].total.low, 1e-3, 1e-9);
    EXPECT_NEAR(parts[1].floats, 1e-3, 1e-6);
    EXPECT_NEAR(parts[1].special, 1e-6, 1e-8);
    EXPECT_NEAR(parts[1].offsets.low, 0.25e-3, 1e-6); // half of them are integers
    EXPECT_NEAR(parts[1].offsets.high, 0.5e-3, 1e-6);
}

TEST_F(ImprovedModel, ItsKnownErrorWidensAPredictionOfACard) {
    const Interval measured = withKnownError({1.0, 1.0}, Bound::Memory, card);
    // Times from which the prediction is off by that much.
    EXPECT_DOUBLE_EQ(errorOfMeasurement(measured.low, 1.0), kKnownError);
    EXPECT_DOUBLE_EQ(errorOfMeasurement(measured.high, 1.0), kKnownError);
    EXPECT_DOUBLE_EQ(errorOfMeasurement(withKnownError({1.0, 1.0}, Bound::Launch, card).high, 1.0),
                     kKnownErrorOfSmall);
    card.isCpu = true;
    EXPECT_EQ(withKnownError({1.0, 2.0}, Bound::Memory, card), (Interval{1.0, 2.0}));
}

TEST(OneCore, HasItsShareOfTheArithmeticAndAllOfTheMemory) {
    Device cpu;
    cpu.isCpu = true;
    cpu.chip.multiprocessors = 4.0;
    cpu.measured = {.ffma = 8e9, .global = 20e9, .shared = 400e9};
    const Device core = oneCoreOf(cpu);
    EXPECT_DOUBLE_EQ(core.measured.ffma, 2e9);
    EXPECT_DOUBLE_EQ(core.measured.shared, 100e9);
    EXPECT_DOUBLE_EQ(core.measured.global, 20e9);
    EXPECT_DOUBLE_EQ(core.chip.multiprocessors, 1.0);
}

TEST_F(ImprovedModel, MeasuredRatesGoBeforeTheory) {
    const Rates rates = reachedRates(card);
    EXPECT_DOUBLE_EQ(rates.global, 120e9);
    EXPECT_DOUBLE_EQ(rates.ffma, 1089e9);
    card.measured.global = 0.0;
    EXPECT_DOUBLE_EQ(reachedRates(card).global, kReachedShare * 134e9);
}

TEST_F(ImprovedModel, RepeatedAccessesHitTheCacheAsFarAsItReaches) {
    Kernel kernel{"read", {1400, 256, 16, 0}, {Part{.globalBytes = 12e9, .distinctBytes = 640e3}}};
    EXPECT_DOUBLE_EQ(predict(kernel, card).cacheHits, 1.0);
    EXPECT_NEAR(predict(kernel, card).improved.low, 12e9 / 300e9, 1e-9);
    kernel.parts[0].distinctBytes = 1280e3;
    EXPECT_DOUBLE_EQ(predict(kernel, card).cacheHits, 0.5);
    kernel.parts[0].distinctBytes = 0.0; // every access is to another byte
    EXPECT_DOUBLE_EQ(predict(kernel, card).cacheHits, 0.0);
    EXPECT_NEAR(predict(kernel, card).improved.low, 12e9 / 120e9, 1e-9);
}

TEST_F(ImprovedModel, WhatFillsHalfOfTheCacheIsStillThereFromTheKernelBefore) {
    Kernel kernel{"copy", {1400, 256, 16, 0}, {Part{.globalBytes = 320e3}}};
    EXPECT_NEAR(predict(kernel, card).improved.low, 320e3 / 300e9, 1e-15);
    kernel.parts[0].globalBytes = 480e3; // half of it comes from memory
    EXPECT_NEAR(predict(kernel, card).improved.low, 240e3 / 120e9, 1e-15);
    kernel.parts[0].globalBytes = 700e3;
    EXPECT_NEAR(predict(kernel, card).improved.low, 700e3 / 120e9, 1e-15);
    kernel.parts[0].globalBytes = 320e3;
    card.theory.cache = 0.0; // not known
    EXPECT_NEAR(predict(kernel, card).improved.low, 320e3 / 120e9, 1e-15);
}

TEST_F(ImprovedModel, NamesTheBound) {
    const auto boundOf = [&](const Part& part) {
        return predict(Kernel{"kernel", {1400, 256, 16, 0}, {part}}, card).bound;
    };
    EXPECT_EQ(boundOf({.globalBytes = 1e9, .ffma = 1e6}), Bound::Memory);
    EXPECT_EQ(boundOf({.globalBytes = 1e6, .sharedBytes = 1e12}), Bound::Shared);
    EXPECT_EQ(boundOf({.globalBytes = 1e6, .ffma = 1e12}), Bound::Compute);
    EXPECT_EQ(boundOf({.globalBytes = 1e6, .ffma = 1e6, .special = 1e9}), Bound::Special);
    EXPECT_EQ(boundOf({.globalBytes = 1e6, .ffma = 1e6, .offsets = 1e12}), Bound::Offsets);
    card.theory.latency = card.theory.cacheLatency = 1e-3;
    EXPECT_EQ(boundOf({.globalBytes = 1e3}), Bound::Latency);
    card.theory.launch = 1.0;
    EXPECT_EQ(boundOf({.globalBytes = 1e3}), Bound::Launch);
}

TEST_F(ImprovedModel, ACpuOverlapsAllOfItsParts) {
    Kernel kernel{"kernel", {2, 1, 0, 0}, {Part{.globalBytes = 120e6}, Part{.ffma = 544.5e6}}};
    card.theory.issue = 0.0;
    card.chip.multiprocessors = 2;
    card.isCpu = true;
    EXPECT_NEAR(predict(kernel, card).improved.low, 1e-3, 1e-12);
    card.isCpu = false;
    EXPECT_NEAR(predict(kernel, card).improved.low, 2e-3, 1e-12);
}

TEST_F(ImprovedModel, AKernelThatDoesNotFitHasNoTime) {
    const Kernel kernel{"large", {14, 256, 16, 1e6}, {Part{.globalBytes = 1e6}}};
    EXPECT_DOUBLE_EQ(predict(kernel, card).occupancy.blocks, 0.0);
    EXPECT_EQ(predict(kernel, card).improved, Interval{});
}

} // namespace
} // namespace echolux::model
