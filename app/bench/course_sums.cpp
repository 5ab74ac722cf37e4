// SPDX-License-Identifier: GPL-3.0-or-later
// S0: sums of 1024 values, and of the 128 elements of every point.
#include "app/bench/documents.hpp"
#include "app/bench/runs.hpp"
#include "app/prediction/timed_work.hpp"
#include "gpu/ladder/course_sum.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace echolux {
namespace {

using ladder::SumStep;

struct SumRow {
    SumStep step;
    const char* entry;
    double published;
};

/// The course uses the name "non-divergent" for two steps. In sums of 1024 values it is the step
/// with halved strides. In sums over elements that step is called "conflict free", so
/// "non-divergent" is taken to be the step with strided indices.
constexpr SumRow kLongSums[] = {
    {SumStep::Sequential, "sequential", 340.0},
    {SumStep::Parallel, "parallel tree", 37.0},
    {SumStep::Halving, "non-divergent (halving)", 23.0},
    {SumStep::FirstAdd, "first add during load", 16.0},
    {SumStep::LastWarp, "last warp", 12.0},
};
constexpr SumRow kElementSums[] = {
    {SumStep::Sequential, "sequential", 7.87},
    {SumStep::Parallel, "parallel tree", 11.38},
    {SumStep::StridedIndex, "non-divergent (strided index)", 7.82},
    {SumStep::Halving, "conflict free (halving)", 7.71},
    {SumStep::FirstAdd, "first add during load", 7.63},
    {SumStep::LastWarp, "last warp", 7.62},
};

constexpr double kAllowedOfSums = 1e-5;
constexpr int kShortCalls = 50; ///< number of calls of a short kernel that are timed together

/// Greatest error of the sums of `length` neighbours, relative to the greatest sum.
double deviationFromSums(const std::vector<float>& values, int length,
                         const std::vector<float>& sums) {
    double greatest = 0.0;
    double worst = 0.0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(i) * length;
        const double expected = std::accumulate(first, first + length, 0.0);
        greatest = std::max(greatest, expected);
        if (std::isnan(sums[i])) return std::numeric_limits<double>::max();
        worst = std::max(worst, std::abs(expected - double{sums[i]}));
    }
    return worst / greatest;
}

struct SumSeries {
    const char* table;
    const char* unit;
    double perMs; ///< how many of the unit in 1 ms
    std::size_t sums;
    int length;
    int calls;
};

template <std::size_t kRows> void measureSeries(const DocumentBench& bench, const SumSeries& series,
                                                const SumRow (&rows)[kRows], const char* note) {
    const Exec& exec = bench.exec;
    std::vector<float> values =
        randomNumbers(series.sums * static_cast<std::size_t>(series.length));
    std::ranges::transform(values, values.begin(), [](float value) { return std::abs(value); });
    const Buffer in = inComputeMemory(exec, values);
    const Buffer out(computeMemory(exec.backend), series.sums * sizeof(float));
    for (const SumRow& row : rows) {
        fillBytes(exec, out.data(), 0xFF, out.bytes());
        std::vector<double> runs = workMs(exec, bench.repeat, series.calls, [&] {
            ladder::sumNeighbours(exec, row.step, static_cast<std::int64_t>(series.sums),
                                  series.length, in.as<float>(), out.as<float>());
        });
        for (double& run : runs) run *= series.perMs;
        DocumentEntry entry{.table = series.table, .entry = row.entry, .unit = series.unit};
        entry.published = row.published;
        entry.setRuns(runs);
        entry.deviation = deviationFromSums(values, series.length, onHost(exec, out));
        entry.allowed = kAllowedOfSums;
        entry.gigabytesPerS =
            static_cast<double>(in.bytes() + out.bytes()) * series.perMs / *entry.measured / 1e6;
        if (row.step != SumStep::Sequential && exec.backend == Backend::Cpu) entry.note = note;
        bench.take(entry);
    }
}

} // namespace

void benchCourseSums(const DocumentBench& bench) {
    constexpr const char* kOnCpu = "the tree's steps one after the other";
    measureSeries(bench, {"S0 sum of 1024 values", "us", 1e3, 1, 1024, kShortCalls}, kLongSums,
                  kOnCpu);
    measureSeries(bench,
                  {"S0 sum over the elements of (256, 1024, 128), one wave", "ms", 1.0,
                   bench.reduced ? std::size_t{24 * 96} : std::size_t{256 * 1024}, 128, 1},
                  kElementSums, kOnCpu);
}

} // namespace echolux
