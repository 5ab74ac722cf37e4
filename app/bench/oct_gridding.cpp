// SPDX-License-Identifier: GPL-3.0-or-later
// S4, sections 2.3.4 and 2.3.6: gridding parted by output or by input, over the oversampling; and
// factors from tables or computed in the kernel.
#include "app/bench/documents.hpp"
#include "app/prediction/timed_work.hpp"

#include "app/bench/oct.hpp"
#include "app/bench/runs.hpp"
#include "gpu/core/bessel.hpp"
#include "gpu/ladder/gridding.hpp"
#include "gpu/oct/oct_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace echolux {
namespace {

using ladder::Factors;
using ladder::GridBy;

constexpr std::int64_t kGridSamples = 1024;
constexpr std::int64_t kGridKernelWidth = 4;
constexpr std::array kGridOversamplings{1.0, 1.25, 1.5, 1.75, 2.0};
constexpr double kChosenOversampling = 1.5; ///< oversampling of the comparison of factors
constexpr double kGridAllowed = 1e-5;
constexpr std::array kPhaseTerms{20.0, -15.0, 5.0}; ///< of the dispersion, rad

/// Lines of noise, in compute memory and here.
struct GridSpectra {
    std::int64_t lines;
    std::vector<float> values = randomNumbers(static_cast<std::size_t>(lines * kGridSamples));
    Buffer in;

    GridSpectra(const Exec& exec, std::int64_t count)
        : lines(count), in(inComputeMemory(exec, values)) {}
    double at(std::int64_t line, std::size_t p) const {
        return double{values[static_cast<std::size_t>(line * kGridSamples) + p]};
    }
};

ladder::GridProblem gridProblem(double oversampling) {
    ladder::GridProblem problem;
    problem.points = std::llround(oversampling * static_cast<double>(kGridSamples));
    const oct::Kernel kernel = oct::kaiserBessel(kGridKernelWidth, kGridSamples, problem.points);
    problem.width = static_cast<int>(kernel.width);
    problem.beta = kernel.beta;
    const std::vector<double> positions =
        oct::inverseCurve(oct::polynomialCurve(kGridSamples, {0.0, -20.0, 30.0, -10.0}));
    const double pointsPerStep =
        static_cast<double>(problem.points) / static_cast<double>(kGridSamples);
    for (std::size_t p = 0; p < positions.size(); ++p) {
        problem.places.push_back(positions[p] * pointsPerStep);
        problem.weights.push_back(pointsPerStep / kernel.area() * oct::densityWeight(positions, p));
    }
    return problem;
}

/// The sum that a grid point stands for, in double precision.
double gridPointOf(const GridSpectra& spectra, const ladder::GridProblem& problem, std::int64_t i) {
    const std::int64_t line = i / problem.points;
    const auto g = static_cast<double>(i % problem.points);
    double sum = 0.0;
    for (std::size_t p = 0; p < problem.places.size(); ++p) {
        const double x = 2.0 * (problem.places[p] - g) / problem.width;
        if (std::abs(x) > 1.0) continue;
        sum += problem.weights[p] * spectra.at(line, p) *
               besselI0(problem.beta * std::sqrt(1.0 - x * x)) / besselI0(problem.beta);
    }
    return sum;
}

struct GridTime {
    double us = 0.0;
    double deviation = 0.0;
    double gigabytesPerS = 0.0;
};

GridTime gridded(const DocumentBench& bench, const GridSpectra& spectra,
                 const ladder::GridProblem& problem, const ladder::Gridding& gridding, GridBy by,
                 Factors factors) {
    const Exec& exec = bench.exec;
    const Buffer out(computeMemory(exec.backend),
                     static_cast<std::size_t>(spectra.lines * problem.points) * sizeof(float));
    const double ms = medianWorkMs(exec, bench.repeat, 1, [&] {
        gridding.run(exec, by, factors, spectra.lines, spectra.in.as<float>(), out.as<float>());
    });
    const double deviation = deviationAt(
        onHost(exec, out), [&](std::int64_t i) { return gridPointOf(spectra, problem, i); });
    const double bytes = static_cast<double>(spectra.in.bytes() + out.bytes());
    return {1e3 * ms, deviation, bytes / ms / 1e6};
}

void takeGridTime(const DocumentBench& bench, const std::string& table, const std::string& entry,
                  const GridTime& measured, const std::string& note) {
    bench.take({.table = table,
                .entry = entry,
                .unit = "us",
                .measured = measured.us,
                .deviation = measured.deviation,
                .allowed = kGridAllowed,
                .gigabytesPerS = measured.gigabytesPerS,
                .note = note});
}

void benchGridParting(const DocumentBench& bench, const GridSpectra& spectra) {
    const std::string table =
        fmt::format("S4 section 2.3.4, gridding of {} x {} samples", spectra.lines, kGridSamples);
    for (const double oversampling : kGridOversamplings) {
        const ladder::GridProblem problem = gridProblem(oversampling);
        const ladder::Gridding gridding(bench.exec, problem);
        const GridTime output =
            gridded(bench, spectra, problem, gridding, GridBy::Output, Factors::Table);
        const GridTime input =
            gridded(bench, spectra, problem, gridding, GridBy::Input, Factors::Table);
        takeGridTime(bench, table, fmt::format("oversampling {}, by output", oversampling), output,
                     oversampling <= kChosenOversampling ? "the document prefers it from 1 to 1.5"
                                                         : "");
        takeGridTime(bench, table, fmt::format("oversampling {}, by input", oversampling), input,
                     fmt::format("{:.2f} times as fast as by output{}", output.us / input.us,
                                 oversampling >= kChosenOversampling
                                     ? "; the document prefers it from 1.5 to 2"
                                     : ""));
    }
}

void benchWindowAndPhase(const DocumentBench& bench, const GridSpectra& spectra,
                         const std::string& table) {
    const Exec& exec = bench.exec;
    const ladder::WindowAndPhase work(exec, kGridSamples, kPhaseTerms);
    const Buffer out(computeMemory(exec.backend), 2 * spectra.in.bytes());
    const auto expected = [&](std::int64_t i) { // real and imaginary parts in turn
        const std::int64_t at = i / 2;
        const double u =
            static_cast<double>(at % kGridSamples) / static_cast<double>(kGridSamples - 1);
        const double x = -0.5 * u;
        const double phi = x * x * (kPhaseTerms[0] + x * (kPhaseTerms[1] + x * kPhaseTerms[2]));
        const double value =
            spectra.at(at / kGridSamples, static_cast<std::size_t>(at % kGridSamples)) *
            (0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * u));
        return value * (i % 2 == 0 ? std::cos(phi) : std::sin(phi));
    };
    for (const Factors factors : {Factors::Table, Factors::Computed}) {
        const double ms = medianWorkMs(exec, bench.repeat, 1, [&] {
            work.run(exec, factors, spectra.lines, spectra.in.as<float>(), out.as<Complex>());
        });
        const double bytes = static_cast<double>(spectra.in.bytes() + out.bytes());
        takeGridTime(bench, table,
                     fmt::format("window and phase, {}",
                                 factors == Factors::Table ? "from tables" : "computed"),
                     {1e3 * ms, deviationAt(onHost(exec, out), expected), bytes / ms / 1e6},
                     factors == Factors::Computed ? "the document's choice" : "");
    }
}

void benchFactors(const DocumentBench& bench, const GridSpectra& spectra) {
    const std::string table =
        fmt::format("S4 section 2.3.6, factors of {} x {} samples", spectra.lines, kGridSamples);
    benchWindowAndPhase(bench, spectra, table);
    const ladder::GridProblem problem = gridProblem(kChosenOversampling);
    const ladder::Gridding gridding(bench.exec, problem);
    for (const GridBy by : {GridBy::Output, GridBy::Input}) {
        for (const Factors factors : {Factors::Table, Factors::Computed}) {
            takeGridTime(bench, table,
                         fmt::format("gridding by {}, oversampling {}, {}",
                                     by == GridBy::Output ? "output" : "input", kChosenOversampling,
                                     factors == Factors::Table ? "from a table" : "computed"),
                         gridded(bench, spectra, problem, gridding, by, factors),
                         fmt::format("reads {:.1f} kB of tables",
                                     1e-3 * static_cast<double>(gridding.tableBytes(by, factors))));
        }
    }
}

/// The whole chain on one B-scan.
void benchOversampling(const DocumentBench& bench, std::int64_t lines) {
    OctProblem scan;
    scan.samples = kGridSamples;
    scan.linesPerBscan = lines;
    scan.bscans = 1;
    for (const double oversampling : kGridOversamplings) {
        const SnapshotPtr snapshot = tschuppChain(scan, "moving_average", oversampling);
        const Buffer raw(stagingMemory(bench.exec.backend), snapshot->input.bytes());
        fillSpectra(scan, snapshot->input, raw.as<std::byte>());
        Runner runner(bench.exec.backend, 1, Fusing::Allowed);
        runner.apply(snapshot);
        const double ms = medianProcessingMs(runner, {.raw = raw.as<std::byte>()}, bench.repeat);
        const std::size_t steps = runner.steps().size();
        bench.take(
            {.table = fmt::format("S4 section 2.3.4, whole chain of {} x {}", lines, kGridSamples),
             .entry = fmt::format("oversampling {}", oversampling),
             .unit = "us",
             .measured = 1e3 * ms,
             .note = fmt::format("{} grid points, {}; the document: faster the fewer",
                                 oct::gridPoints(kGridSamples, oversampling),
                                 steps == 1 ? "one kernel" : fmt::format("{} steps", steps))});
    }
}

} // namespace

void benchOctGridding(const DocumentBench& bench) {
    const std::int64_t lines = bench.reduced ? 16 : 512;
    const GridSpectra spectra(bench.exec, lines);
    benchGridParting(bench, spectra);
    benchFactors(bench, spectra);
    benchOversampling(bench, lines);
}

} // namespace echolux
