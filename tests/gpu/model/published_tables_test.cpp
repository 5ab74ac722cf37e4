// SPDX-License-Identifier: GPL-3.0-or-later
// Recomputes tables 5.1 to 5.9 of van Bavel 2013; the printed figures stand beside the computed
// ones. What the document does not print is inferred and said to be.
#include "gpu/model/equations.hpp"
#include "gpu/model/prediction.hpp"
#include "tests/gpu/model/published_devices.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace echolux::model {
namespace {

constexpr double kGiga = 1e9;
constexpr double kMicro = 1e-6;

TEST(PublishedTables, Table51TheoryFollowsFromTheChip) {
    struct Entry {
        double Rates::*rate;
        double theory, measured; // GFLOPS
    };
    constexpr std::array kTable{
        Entry{&Rates::ffma, 1088.6, 1080.0}, Entry{&Rates::fmul, 544.3, 540.0},
        Entry{&Rates::fadd, 544.3, 540.0}, Entry{&Rates::special, 68.0, 67.5}};
    const Rates theory = theoryOf(gtx470().chip);
    for (const Entry& entry : kTable) {
        EXPECT_NEAR(theory.*entry.rate / kGiga, entry.theory, 0.001 * entry.theory);
        EXPECT_LT(errorOfMeasurement(entry.measured, entry.theory), 0.01); // printed: < 1 %
    }
}

TEST(PublishedTables, Table52TheComputeRoofOfMixes) {
    struct Entry {
        double ffma, fmul, fadd; // operations per thread
        double cur, measured;    // GFLOPS
    };
    constexpr std::array kTable{Entry{10, 2, 8, 725.8, 717.9}, Entry{2, 1, 0, 816.5, 804.4},
                                Entry{0, 2, 8, 544.0, 539.8}};
    for (const Entry& entry : kTable) {
        const std::array kinds{Work{entry.ffma, 1088.6 * kGiga}, Work{entry.fmul, 544.3 * kGiga},
                               Work{entry.fadd, 544.3 * kGiga}};
        const double cur = computeRoof(kinds) / kGiga;
        EXPECT_NEAR(cur, entry.cur, 0.001 * entry.cur);
        EXPECT_LT(errorOfMeasurement(entry.measured, cur), 0.016); // printed: 1 %
        EXPECT_DOUBLE_EQ(totalOperations(kinds), entry.ffma + entry.fmul + entry.fadd);
    }
}

struct Mix {
    double ffma, special;     // operations, as a ratio
    double printed, measured; // GFLOPS
    double error;             // printed, of the measurement; 0.01 stands for "< 1 %"
};

/// The rates that the document rounds in tables 5.3 to 5.5.
constexpr double kFfma = 1088.6;
constexpr double kSpecial = 68.0;

TEST(PublishedTables, Table53TheSumOfTimesIsTooPessimistic) {
    constexpr std::array kTable{Mix{1, 2, 99.0, 101.2, 0.02}, Mix{1, 1, 128.1, 134.9, 0.05},
                                Mix{2, 1, 181.4, 202.3, 0.10}, Mix{8, 1, 408.2, 544.3, 0.25}};
    for (const Mix& mix : kTable) {
        const std::array kinds{Work{mix.ffma, kFfma}, Work{mix.special, kSpecial}};
        EXPECT_NEAR(computeRoof(kinds), mix.printed, 0.002 * mix.printed);
        EXPECT_NEAR(errorOfMeasurement(mix.measured, computeRoof(kinds)), mix.error, 0.006);
    }
}

TEST(PublishedTables, Table54ParallelPipelinesAreTooOptimistic) {
    constexpr std::array kTable{Mix{1, 2, 102.1, 101.2, 0.01}, Mix{1, 1, 136.1, 134.9, 0.01},
                                Mix{2, 1, 204.1, 202.3, 0.01}, Mix{4, 1, 340.2, 335.2, 0.02},
                                Mix{6, 1, 476.3, 465.7, 0.02}, Mix{8, 1, 612.4, 544.3, 0.13}};
    for (const Mix& mix : kTable) {
        const double rate = parallelRate({mix.ffma, kFfma}, {mix.special, kSpecial});
        EXPECT_NEAR(rate, mix.printed, 0.001 * mix.printed);
        EXPECT_NEAR(errorOfMeasurement(mix.measured, rate), mix.error, 0.007);
    }
}

TEST(PublishedTables, Table55SixOperationsHideBehindOneSpecialFunction) {
    constexpr std::array kTable{Mix{1, 2, 102.0, 101.2, 0.01}, Mix{1, 1, 136.0, 134.9, 0.01},
                                Mix{2, 1, 204.0, 202.3, 0.01}, Mix{4, 1, 340.0, 335.2, 0.01},
                                Mix{6, 1, 476.0, 465.7, 0.02}, Mix{8, 1, 544.4, 544.3, 0.01},
                                Mix{12, 1, 643.1, 654.4, 0.02}};
    const double hidden = hiddenOperations(1, 2, 3); // of FFMA alone
    EXPECT_DOUBLE_EQ(hidden, 6.0);
    EXPECT_DOUBLE_EQ(hiddenOperations(5, 5, 3), 3.0); // of FADD and FMUL
    for (const Mix& mix : kTable) {
        const double rate = overlappedRate({mix.special, kSpecial}, {mix.ffma, kFfma}, hidden);
        EXPECT_NEAR(rate, mix.printed, 0.001 * mix.printed);
        EXPECT_NEAR(errorOfMeasurement(mix.measured, rate), mix.error, 0.01);
    }
}

TEST(PublishedTables, Table56FollowsFromInferredNumbersPerClock) {
    for (const Device& device : {gtx470(), gtx660Ti()}) {
        const Rates theory = theoryOf(device.chip);
        for (const auto rate :
             {&Rates::ffma, &Rates::special, &Rates::offsetHigh, &Rates::offsetLow, &Rates::shared})
            EXPECT_NEAR(theory.*rate, device.theory.*rate, 0.002 * device.theory.*rate);
    }
}

struct Row57 {
    double n, measured, low, high; // microseconds
    double error, rooflineError;   // printed
};

/// The greatest deviation from a printed time in microseconds: the document rounds its rates.
double roundingOf(double printed) { return std::max(1.0, 0.0003 * printed); }

TEST(PublishedTables, Table57TheTiledProductOnTheGtx470) {
    constexpr std::array kTable{Row57{256, 201, 173, 190, 0.10, 0.20},
                                Row57{2048, 91008, 85950, 92616, 0.02, 0.11}};
    for (const Row57& row : kTable) {
        const Interval time = plainTime(tiledProduct(row.n), gtx470());
        EXPECT_NEAR(time.low / kMicro, row.low, roundingOf(row.low));
        EXPECT_NEAR(time.high / kMicro, row.high, roundingOf(row.high));
        EXPECT_NEAR(errorOfMeasurement(row.measured * kMicro, time.middle()), row.error, 0.005);
        const double roofline = rooflineTime(tiledProduct(row.n, true), gtx470());
        EXPECT_NEAR(errorOfMeasurement(row.measured * kMicro, roofline), row.rooflineError, 0.005);
    }
}

TEST(PublishedTables, Table58TheTiledProductOnTheGtx660Ti) {
    constexpr std::array kTable{Row57{256, 176, 170, 198, 0.04, 0.05},
                                Row57{2048, 72307, 85313, 96709, 0.21, 0.17}};
    for (const Row57& row : kTable) {
        const Interval time = plainTime(tiledProduct(row.n), gtx660Ti());
        EXPECT_NEAR(time.low / kMicro, row.low, roundingOf(row.low));
        EXPECT_NEAR(time.high / kMicro, row.high, roundingOf(row.high));
        // Of this table the first column of errors is of the prediction, the second of the
        // measurement.
        EXPECT_NEAR(errorOfPrediction(row.measured * kMicro, time.middle()), row.error, 0.005);
        const double roofline = rooflineTime(tiledProduct(row.n, true), gtx660Ti());
        EXPECT_NEAR(errorOfMeasurement(row.measured * kMicro, roofline), row.rooflineError, 0.005);
    }
}

/// Of band-pass and Hilbert the document prints neither sizes nor counts. INFERRED: the widths of
/// the intervals give the offset operations. One number fits both cards.
TEST(PublishedTables, Tables57And58GiveTheOffsetsOfTheFilters) {
    struct Filter {
        double offsets;                  // inferred
        Interval gtx470, gtx660Ti;       // microseconds
        double measured470, measured660; // microseconds
        double error470, ofPrediction660, ofMeasurement660;
    };
    constexpr std::array kTable{Filter{28.3e6, {161, 213}, {101, 190}, 189, 187, 0.01, 0.29, 0.22},
                                Filter{49.0e6, {219, 309}, {125, 280}, 241, 260, 0.10, 0.28, 0.22}};
    for (const Filter& filter : kTable) {
        const auto widthOf = [&](const Device& device) {
            const Interval time =
                offsetTime(filter.offsets, device.theory.offsetHigh, device.theory.offsetLow);
            return (time.high - time.low) / kMicro;
        };
        EXPECT_NEAR(widthOf(gtx470()), filter.gtx470.high - filter.gtx470.low, 1.0);
        EXPECT_NEAR(widthOf(gtx660Ti()), filter.gtx660Ti.high - filter.gtx660Ti.low, 1.5);
        EXPECT_NEAR(errorOfMeasurement(filter.measured470, filter.gtx470.middle()), filter.error470,
                    0.006);
        EXPECT_NEAR(errorOfPrediction(filter.measured660, filter.gtx660Ti.middle()),
                    filter.ofPrediction660, 0.006);
        EXPECT_NEAR(errorOfMeasurement(filter.measured660, filter.gtx660Ti.middle()),
                    filter.ofMeasurement660, 0.006);
    }
}

/// Table 5.9: 768 threads per block on 14 multiprocessors. The kernel's counts are not printed, so
/// only what does not need them is recomputed: the prediction grows with the blocks.
TEST(PublishedTables, Table59PredictionsGrowWithTheBlocksAndMissASecondActiveBlock) {
    struct Entry {
        double blocks;
        Interval predicted;
        double one, errorOne, two, errorTwo; // microseconds, printed errors
    };
    constexpr std::array kTable{Entry{14, {212, 234}, 239, 0.07, 239, 0.07},
                                Entry{28, {425, 468}, 476, 0.06, 391, 0.14},
                                Entry{56, {850, 936}, 950, 0.06, 751, 0.19},
                                Entry{112, {1699, 1873}, 1896, 0.06, 1458, 0.22}};
    for (const Entry& entry : kTable) {
        EXPECT_NEAR(entry.predicted.low, 212.4 * entry.blocks / 14.0, 1.0);
        EXPECT_NEAR(entry.predicted.high, 234.1 * entry.blocks / 14.0, 1.0);
        EXPECT_NEAR(errorOfMeasurement(entry.one, entry.predicted.middle()), entry.errorOne, 0.006);
        EXPECT_NEAR(errorOfMeasurement(entry.two, entry.predicted.middle()), entry.errorTwo, 0.006);
    }
}

/// The rule of Echolux for several active blocks on table 5.9. INFERRED: a kernel whose longest
/// resource takes 0.54 of the sum of its parts fits all four rows with two active blocks. What one
/// block waits for by itself adds less than 3 %.
TEST(PublishedTables, Table59TwoActiveBlocksOverlapTheirParts) {
    const Device card = gtx470();
    constexpr double kShare = 0.54;
    constexpr std::array<std::array<double, 3>, 4> kTable{
        {{14, 239, 239}, {28, 476, 391}, {56, 950, 751}, {112, 1896, 1458}}};
    for (const auto& [blocks, one, two] : kTable) {
        // Fetch and compute that take (1 - share) and share of the time with one active block.
        Kernel kernel{"table 5.9", {blocks, 768, 16, 32768}, {}};
        const double seconds = one * kMicro;
        kernel.parts = {
            Part{.name = "fetch",
                 .globalBytes = (1.0 - kShare) * seconds * card.theory.global * kReachedShare},
            Part{.name = "compute", .ffma = kShare * seconds * card.theory.ffma / 2.0}};
        const KernelPrediction single = predict(kernel, card);
        EXPECT_DOUBLE_EQ(single.occupancy.blocks, 1.0);
        EXPECT_GE(single.improved.middle() / kMicro, one * (1.0 - 1e-6));
        EXPECT_LT(single.improved.middle() / kMicro, 1.03 * one);
        kernel.launch.sharedBytes = 16384;
        const KernelPrediction twice = predict(kernel, card);
        EXPECT_DOUBLE_EQ(twice.occupancy.blocks, 2.0);
        EXPECT_LT(errorOfMeasurement(two, twice.improved.middle() / kMicro), 0.07);
    }
}

} // namespace
} // namespace echolux::model
