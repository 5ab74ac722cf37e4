// SPDX-License-Identifier: GPL-3.0-or-later
// S1, tables 2 to 5: deviations of the kernels, block sizes, samples per second.
#include "app/commands/bench_runs.hpp"
#include "app/commands/bench_scan_data.hpp"
#include "gpu/ladder/four_times_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
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
constexpr const char* kBlockSizes = "S1 table 3, TEXF by block size (published: cycles)";
constexpr const char* kBlocksOfTwoLines = "S1 table 4, TEXF MLA of 2 lines (published: cycles)";
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
    shape.apodized = variant.apodized;
    shape.constants = variant.constants;
    shape.order = variant.order;
    shape.block = variant.block;
    return shape;
}

/// Samples read per second, from Gronvold's cycles per thread. A thread reads one sample of each
/// channel. 128 processors run at 1.35 GHz.
double samplesPerS(double cycles, int channels) { return 128.0 * 1.35e9 * channels / cycles; }

DocumentEntry scanEntry(const char* table, std::string name, const ScanProblem& problem,
                        const ScanData::Measured& measured) {
    DocumentEntry entry{.table = table, .entry = std::move(name), .unit = "samples/s"};
    entry.measured = problem.samplesRead() / (measured.ms * 1e-3);
    entry.deviation = measured.deviation;
    entry.allowed = kAllowedOfLines;
    entry.gigabytesPerS = measured.bytes / measured.ms / 1e6;
    return entry;
}

constexpr int kUpTapNumbers[] = {7, 11, 15};
constexpr double kUpPublished[] = {3.43e9, 2.55e9, 2.02e9};
constexpr double kAllowedOfUp = 2e-4;
constexpr int kVerifiedTaps = 11;

/// Measures 4xUP on white noise. `deviation` is that of kVerifiedTaps.
std::vector<DocumentEntry> measureUp(const DocumentBench& bench, double& deviation) {
    const Exec& exec = bench.exec;
    const std::int32_t samples = bench.reduced ? 2050 : 32768;
    const std::int64_t lines = bench.reduced ? 3 : 128;
    const std::vector<float> noise = randomNumbers(static_cast<std::size_t>(lines * samples));
    std::vector<std::int16_t> codes;
    codes.reserve(noise.size());
    for (const float value : noise)
        codes.push_back(static_cast<std::int16_t>(std::lround(value * ladder::kCodePeak)));
    const Buffer in = inComputeMemory(exec, codes);
    const Buffer out(computeMemory(exec.backend), noise.size() * 4 * sizeof(float));
    std::vector<DocumentEntry> entries;
    for (std::size_t i = 0; i < std::size(kUpTapNumbers); ++i) {
        const int taps = kUpTapNumbers[i];
        fillBytes(exec, out.data(), 0xFF, out.bytes());
        const double ms = medianWorkMs(exec, bench.repeat, 1, [&] {
            ladder::fourTimesUp(exec, taps, lines, samples, in.as<std::int16_t>(), out.as<float>());
        });
        DocumentEntry& entry = entries.emplace_back();
        entry.table = kSummary;
        entry.entry = fmt::format("4xUP ({} taps)", taps);
        entry.unit = "samples/s";
        entry.published = kUpPublished[i];
        entry.measured = static_cast<double>(noise.size()) / (ms * 1e-3);
        entry.deviation = upDeviation(taps, lines, samples, noise, onHost(exec, out));
        entry.allowed = kAllowedOfUp;
        entry.gigabytesPerS = static_cast<double>(in.bytes() + out.bytes()) / ms / 1e6;
        if (taps == kVerifiedTaps) deviation = *entry.deviation;
    }
    return entries;
}

void takeBlockSizes(const DocumentBench& bench, const ScanData& wide) {
    const std::map<int, double> ofOneLine{
        {96, 1889.1}, {128, 1591.8}, {192, 1571.6}, {256, 1563.5}, {384, 1559.8}};
    ScanProblem shape = scanShape(bench.reduced);
    if (!bench.reduced) shape.samples = 1536;
    if (!bench.reduced) shape.beams = 32;
    const ScanData data(bench.exec, shape);
    const auto take = [&](const char* table, const ScanData& from, const ScanProblem& problem,
                          double cycles) {
        DocumentEntry entry = scanEntry(table, fmt::format("block of {}", problem.block), problem,
                                        from.measure(bench, problem));
        entry.published = samplesPerS(cycles, problem.channels);
        if (bench.exec.backend == Backend::Cpu) entry.note = "a CPU has no blocks";
        bench.take(entry);
    };
    for (const auto& [block, cycles] : ofOneLine) {
        ScanProblem problem = shape;
        problem.constants = ScanConstants::PerBeamAndChannel;
        problem.block = block;
        take(kBlockSizes, data, problem, cycles);
    }
    const std::map<int, double> ofTwoLines{{384, 4048.1}, {128, 2974.5}, {96, 3398.6}};
    for (const auto& [block, cycles] : ofTwoLines) {
        ScanProblem problem = scanShape(bench.reduced);
        problem.lines = 2;
        problem.block = block;
        take(kBlocksOfTwoLines, wide, problem, cycles);
    }
}

DocumentEntry verification(const char* name, double published, double measured, double allowed) {
    DocumentEntry entry{.table = kVerification, .entry = name, .unit = "deviation"};
    entry.published = published;
    entry.measured = measured;
    entry.deviation = measured;
    entry.allowed = allowed;
    return entry;
}

} // namespace

double upDeviation(int taps, std::int64_t lines, std::int32_t samples,
                   const std::vector<float>& exact, const std::vector<float>& up) {
    constexpr std::int32_t kStride = 37;
    double greatest = 0.0;
    double worst = 0.0;
    for (std::int64_t line = 0; line < lines; ++line) {
        const float* x = exact.data() + line * samples;
        for (std::int32_t at = 0; at < samples; at += at < 64 || at + 64 > samples ? 1 : kStride) {
            for (int p = 0; p < 4; ++p) {
                double sum = p == 0 ? double{x[at]} : 0.0;
                for (int j = 0; j < taps && p > 0; ++j) {
                    const std::int32_t n = at + j - (taps - 1) / 2;
                    if (n >= 0 && n < samples) sum += ladder::upTap(taps, p, j) * double{x[n]};
                }
                const float got = up[static_cast<std::size_t>((line * samples + at) * 4 + p)];
                if (std::isnan(got)) return std::numeric_limits<double>::max();
                greatest = std::max(greatest, std::abs(double{got}));
                worst = std::max(worst, std::abs(sum - double{got}));
            }
        }
    }
    return greatest > 0.0 ? worst / greatest : 1.0;
}

void benchScanLines(const DocumentBench& bench) {
    const ScanProblem shape = scanShape(bench.reduced);
    ScanProblem fine = shape;
    fine.factor = 4;
    const ScanData coarseData(bench.exec, shape);
    std::vector<DocumentEntry> summary;
    double upOff = 0.0;
    const std::vector<DocumentEntry> ups = measureUp(bench, upOff);
    bench.take(verification("4xUP (11 taps, white noise)", 5.7e-5, upOff, kAllowedOfUp));
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
    takeBlockSizes(bench, coarseData);
    for (const DocumentEntry& entry : ups) bench.take(entry);
    for (const DocumentEntry& entry : summary) bench.take(entry);
}

} // namespace echolux
