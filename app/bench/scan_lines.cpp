// SPDX-License-Identifier: GPL-3.0-or-later
// S1, tables 2 and 5: deviations of the kernels, samples per second.
#include "app/bench/four_times_up.hpp"
#include "app/bench/scan_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {
namespace {

using ladder::LineOrder;
using ladder::ScanConstants;
using ladder::ScanProblem;

constexpr const char* kVerification = "S1 table 2, deviation from double precision";
constexpr const char* kSummary = "S1 table 5, samples per second";

struct ScanVariant {
    const char* name;
    int factor = 1;
    int lines = 1;
    bool apodized = false;
    ScanConstants constants = ScanConstants::Separate;
    LineOrder order = LineOrder::Loop;
    int block = 128;
    std::optional<double> published = {}; ///< samples/s
    std::optional<double> deviation = {}; ///< as published
};

/// The block sizes that were best in the document.
std::vector<ScanVariant> scanVariants() {
    constexpr auto kTogether = ScanConstants::PerBeamAndChannel;
    constexpr auto kSeparate = ScanConstants::Separate;
    constexpr auto kLoop = LineOrder::Loop;
    constexpr auto kParallel = LineOrder::Parallel;
    return {
        {"TEXF (constants 1)", 1, 1, false, kTogether, kLoop, 384, 14.32e9, 3.46e-4},
        {"1/4 TEXF (constants 1)", 4, 1, false, kTogether, kLoop, 384, 1.87e9, 1.04e-4},
        {"TEXF MLA (1 line, constants 2)", 1, 1, false, kSeparate, kLoop, 128, 14.71e9, {}},
        {"TEXF MLA (4 lines)", 1, 4, false, kSeparate, kLoop, 128, 2.83e9, 6.09e-4},
        {"TEXF MLA (16 lines)", 1, 16, false, kSeparate, kLoop, 128, 0.73e9, {}},
        {"TEXF MLA (4 lines in parallel)", 1, 4, false, kSeparate, kParallel, 128, {}, {}},
        {"TEXF MLA (16 lines in parallel)", 1, 16, false, kSeparate, kParallel, 128, {}, {}},
        {"1/4 TEXF MLA (1 line, constants 2)", 4, 1, false, kSeparate, kLoop, 128, 3.43e9, {}},
        {"1/4 TEXF MLA (4 lines)", 4, 4, false, kSeparate, kLoop, 128, 0.95e9, 1.07e-4},
        {"1/4 TEXF MLA (16 lines)", 4, 16, false, kSeparate, kLoop, 128, 0.24e9, {}},
        {"1/4 TEXF MLA (4 lines in parallel)", 4, 4, false, kSeparate, kParallel, 128, {}, {}},
        {"1/4 TEXF MLA (16 lines in parallel)", 4, 16, false, kSeparate, kParallel, 128, {}, {}},
        {"TEXF APO", 1, 1, true, kSeparate, kLoop, 128, 8.32e9, 6.47e-4},
        {"1/4 TEXF MLA APO (1 line)", 4, 1, true, kSeparate, kLoop, 64, 2.96e9, {}},
        {"1/4 TEXF MLA APO (4 lines)", 4, 4, true, kSeparate, kLoop, 64, 0.77e9, 1.77e-4},
        {"1/4 TEXF MLA APO (16 lines)", 4, 16, true, kSeparate, kLoop, 64, 0.20e9, {}},
        {"1/4 TEXF MLA APO (16 lines in parallel)", 4, 16, true, kSeparate, kParallel, 64, {}, {}},
    };
}

ScanProblem problemOf(ScanProblem shape, const ScanVariant& variant) {
    shape.lines = variant.lines;
    shape.factor = variant.factor;
    shape.numbers =
        variant.factor == 1 ? device::TextureNumbers::Int16 : device::TextureNumbers::Float;
    shape.apodized = variant.apodized;
    shape.constants = variant.constants;
    shape.order = variant.order;
    shape.block = variant.block;
    return shape;
}

DocumentEntry verification(const char* name, double published, double measured, double allowed) {
    DocumentEntry entry{.table = kVerification, .entry = name, .unit = "deviation"};
    entry.published = published;
    entry.measured = measured;
    entry.deviation = measured;
    entry.allowed = allowed;
    return entry;
}

constexpr int kVerifiedTaps = 11;

/// Measures 4xUP on white noise: the entries of table 5, and of kVerifiedTaps that of table 2.
std::vector<DocumentEntry> measureUp(const DocumentBench& bench) {
    const UpNoise noise(bench);
    std::vector<DocumentEntry> entries;
    for (const auto& [taps, published] : {std::pair{7, 3.43e9}, {11, 2.55e9}, {15, 2.02e9}}) {
        DocumentEntry& entry = entries.emplace_back(
            noise.measure(kSummary, fmt::format("4xUP ({} taps)", taps), {.taps = taps}, false));
        entry.published = published;
        if (taps == kVerifiedTaps)
            bench.take(verification("4xUP (11 taps, white noise)", 5.7e-5, *entry.deviation,
                                    entry.allowed));
    }
    return entries;
}

} // namespace

void benchScanLines(const DocumentBench& bench) {
    const ScanProblem shape = scanShape(bench.reduced);
    ScanProblem fine = shape;
    fine.factor = 4;
    fine.numbers = device::TextureNumbers::Float;
    const ScanData coarseData(bench.exec, shape);
    std::vector<DocumentEntry> summary;
    const std::vector<DocumentEntry> ups = measureUp(bench);
    {
        const ScanData fineData(bench.exec, fine);
        for (const ScanVariant& variant : scanVariants()) {
            const ScanProblem problem = problemOf(shape, variant);
            const ScanData::Measured measured =
                (variant.factor == 1 ? coarseData : fineData).measure(bench, problem);
            if (variant.deviation)
                bench.take(verification(variant.name, *variant.deviation, measured.deviation,
                                        kAllowedOfLines));
            DocumentEntry& entry =
                summary.emplace_back(scanEntry(kSummary, variant.name, problem, measured));
            entry.published = variant.published;
        }
    }
    for (const DocumentEntry& entry : ups) bench.take(entry);
    for (const DocumentEntry& entry : summary) bench.take(entry);
}

} // namespace echolux
