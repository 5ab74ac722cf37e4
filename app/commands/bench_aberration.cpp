// SPDX-License-Identifier: GPL-3.0-or-later
// S2, table 5.2: an aberration filter of 100 x 100 elements. Also measures how well and how fast
// known screens are found.
#include "app/commands/bench_documents.hpp"

#include "app/commands/bench_runs.hpp"
#include "gpu/aberration/aligned_bins.hpp"
#include "gpu/aberration/estimator.hpp"
#include "gpu/aberration/host_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace echolux {
namespace {

using namespace aberration;

constexpr const char* kTable =
    "S2 table 5.2, 100 x 100 elements, 512 samples, 15 bins, 5 x 5, 21 iterations";
constexpr double kSamplingHz = 70.248e6;
constexpr double kCentreHz = 3.5e6;
constexpr std::int64_t kSamples = 512;
constexpr std::int64_t kFirstBin = 18; ///< 15 bins round bin 25
constexpr std::int64_t kBins = 15;
constexpr int kIterations = 21;

/// Milliseconds as published.
struct Published {
    double copyIn;
    double cast;
    double transform;
    double correlation;
    double copyOut;
    double total;
};
constexpr Published kGpu{13.541, 1.66, 3.468, 133.6, 0.002, 152.299};
constexpr Published kCpu{23.188, 0.0, 67.826, 716.192, 0.0, 807.075};

/// Smooth random numbers over a grid with mean 0, rms 1 and correlation exp(-(d / length)^2).
std::vector<double> screen(const ElementGrid& grid, double length, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    const int reach = static_cast<int>(std::ceil(2.0 * length));
    const auto blur = [&](std::vector<double> in, int lines, int count, bool across) {
        // Each line of `count` + 2 reach values becomes one of `count` values.
        std::vector<double> out(static_cast<std::size_t>(lines) * static_cast<std::size_t>(count));
        for (int line = 0; line < lines; ++line) {
            for (int i = 0; i < count; ++i) {
                double sum = 0.0;
                for (int j = 0; j <= 2 * reach; ++j) {
                    const double u = (j - reach) / length;
                    const int at =
                        across ? line * (count + 2 * reach) + i + j : (i + j) * lines + line;
                    sum += std::exp(-2.0 * u * u) * in[static_cast<std::size_t>(at)];
                }
                out[static_cast<std::size_t>(across ? line * count + i : i * lines + line)] = sum;
            }
        }
        return out;
    };
    const bool line = grid.isLine();
    const int rows = grid.rows + (line ? 0 : 2 * reach);
    std::vector<double> values(static_cast<std::size_t>(rows) *
                               static_cast<std::size_t>(grid.columns + 2 * reach));
    for (double& value : values) value = normal(random);
    values = blur(std::move(values), rows, grid.columns, true);
    if (!line) values = blur(std::move(values), grid.columns, grid.rows, false);
    double mean = 0.0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    for (double& value : values) value -= mean;
    const double rms = rootMeanSquare(values);
    for (double& value : values) value /= rms;
    return values;
}

struct Cube {
    ElementGrid grid;
    std::vector<double> delayS;
    std::vector<float> samples; ///< [place][sample], maximum 1
};

/// One echo in every element, behind a screen of 50 ns and 3 dB rms, with noise 10 dB below it.
Cube makeCube(std::int32_t rows, std::int32_t columns, double length) {
    Cube cube{denseGrid(rows, columns), {}, {}};
    cube.delayS = screen(cube.grid, length, 1);
    for (double& value : cube.delayS) value *= 50e-9;
    const std::vector<double> levels = screen(cube.grid, length, 2);
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (std::size_t k = 0; k < cube.delayS.size(); ++k) {
        const double amplitude = std::pow(10.0, 3.0 * levels[k] / 20.0);
        for (std::int64_t n = 0; n < kSamples; ++n) {
            const double t =
                (static_cast<double>(n) - 0.5 * kSamples) / kSamplingHz - cube.delayS[k];
            const double pulse = std::exp(-std::pow(t / 0.4e-6, 2.0)) *
                                 std::cos(2.0 * std::numbers::pi * kCentreHz * t);
            cube.samples.push_back(static_cast<float>(amplitude * pulse + 0.1 * normal(random)));
        }
    }
    const float most = *std::ranges::max_element(cube.samples);
    for (float& sample : cube.samples) sample /= most;
    return cube;
}

SolveParams published(int iterations) {
    SolveParams params;
    params.method = Method::Gpu;
    params.radius = 2;
    params.mu = 0.1;
    params.iterations = iterations;
    params.epsilon = 0.0; // no early end: the published times are for all iterations
    return params;
}

/// The published iteration in double precision, applied to spectra in single precision.
std::vector<std::complex<double>> reference(const ElementGrid& grid,
                                            const std::vector<float>& spectra, int iterations) {
    const auto places = static_cast<std::size_t>(grid.places());
    const auto y = [&](std::size_t place, std::size_t bin) {
        const std::size_t i = 2 * (place * kBins + bin);
        return std::complex<double>(spectra[i], spectra[i + 1]);
    };
    const auto cross = [&](std::size_t a, std::size_t b) {
        std::complex<double> sum;
        for (std::size_t bin = 0; bin < kBins; ++bin) sum += y(a, bin) * std::conj(y(b, bin));
        return sum / static_cast<double>(kBins);
    };
    std::vector<double> root(places);
    for (std::size_t k = 0; k < places; ++k) root[k] = std::sqrt(cross(k, k).real());
    const int side = 5;
    std::vector<std::complex<double>> weighted(places * side * side);
    std::vector<std::ptrdiff_t> neighbour(places * side * side, -1);
    for (std::size_t k = 0; k < places; ++k) {
        for (int i = 0; i < side * side; ++i) {
            const int row = static_cast<int>(k) / grid.columns + i / side - 2;
            const int column = static_cast<int>(k) % grid.columns + i % side - 2;
            if (row < 0 || row >= grid.rows || column < 0 || column >= grid.columns) continue;
            const auto n = static_cast<std::size_t>(row * grid.columns + column);
            const std::complex<double> r = cross(k, n);
            const std::size_t at = k * side * side + static_cast<std::size_t>(i);
            weighted[at] = std::abs(r / (root[k] * root[n] + 1e-5)) * r;
            neighbour[at] = static_cast<std::ptrdiff_t>(n);
        }
    }
    std::vector<std::complex<double>> s(places, 1.0);
    for (int it = 0; it < iterations; ++it) {
        std::vector<std::complex<double>> next(places);
        for (std::size_t k = 0; k < places; ++k) {
            std::complex<double> sum;
            for (std::size_t at = k * side * side; at < (k + 1) * side * side; ++at) {
                if (neighbour[at] < 0) continue;
                const std::complex<double> other = s[static_cast<std::size_t>(neighbour[at])];
                sum += weighted[at] * std::conj(other) / (std::norm(other) + 1e-5);
            }
            next[k] = (0.9 * s[k] + 0.1 * sum) / 25.0;
        }
        s = std::move(next);
    }
    return s;
}

double deviationOf(const std::vector<float>& filter,
                   const std::vector<std::complex<double>>& expected) {
    Deviation deviation;
    for (std::size_t k = 0; k < expected.size(); ++k) {
        const std::complex<double> value(filter[2 * k], filter[2 * k + 1]);
        deviation.add(std::abs(expected[k]), std::abs(value - expected[k]));
    }
    return deviation.relative();
}

/// A cube in compute memory, with memory for all results.
class Problem100 {
public:
    Problem100(const Exec& exec, const Cube& cube, const SolveParams& params,
               const BinRange& bins = {kFirstBin, kBins})
        : m_exec(exec), m_count(cube.samples.size()), m_bins(bins),
          m_estimator(cube.grid, 1, frequenciesOf(bins, kSamplingHz, kSamples),
                      static_cast<double>(bins.count), params),
          m_samples(inComputeMemory(exec, cube.samples)),
          m_turns(inComputeMemory(exec, turnsOf(kSamples))),
          m_spectra(computeMemory(exec.backend), room(m_estimator.spectraCount() * 8)),
          m_scratch(computeMemory(exec.backend), m_estimator.scratchBytes()),
          m_tables(computeMemory(exec.backend), m_estimator.tableBytes()),
          m_phase(computeMemory(exec.backend), room(cube.grid.places() * 4)),
          m_results(computeMemory(exec.backend),
                    room((3 * m_estimator.elements() + kFigures) * 4)) {
        m_estimator.prepare(exec, m_tables.data());
        if (exec.backend == Backend::Cuda) device::synchronize(exec.stream);
    }

    void transform() const {
        alignedBins(m_exec, m_samples.as<float>(), m_estimator.grid().places(), kSamples, m_bins,
                    m_turns.as<Complex>(),
                    {m_spectra.as<Complex>(), room(m_estimator.spectraCount())});
    }
    const Complex* iterate() const {
        return m_estimator.iterateOnly(m_exec, m_spectra.as<Complex>(), m_scratch.data());
    }
    void estimate() const {
        fillBytes(m_exec, m_phase.data(), 0, m_phase.bytes());
        auto* results = m_results.as<float>();
        const std::int32_t elements = m_estimator.elements();
        m_estimator.run(
            m_exec, m_spectra.as<Complex>(), m_phase.as<float>(), m_scratch.data(),
            {results, results + elements, results + 2 * elements, results + 3 * elements});
    }
    const Buffer& samples() const { return m_samples; }
    const Buffer& spectra() const { return m_spectra; }
    std::vector<float> delays() const {
        std::vector<float> all = onHost(m_exec, m_results);
        all.resize(static_cast<std::size_t>(m_estimator.elements()));
        return all;
    }
    double iterations() const {
        const auto figures = static_cast<std::size_t>(3 * m_estimator.elements());
        return onHost(m_exec, m_results)[figures + static_cast<std::size_t>(Figure::Iterations)];
    }

private:
    static std::size_t room(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

    Exec m_exec;
    std::size_t m_count;
    BinRange m_bins;
    Estimator m_estimator;
    Buffer m_samples;
    Buffer m_turns;
    Buffer m_spectra;
    Buffer m_scratch;
    Buffer m_tables;
    Buffer m_phase;
    Buffer m_results;
};

void benchTable(const DocumentBench& bench, const Cube& cube) {
    const bool cuda = bench.exec.backend == Backend::Cuda;
    const Published published_ = cuda ? kGpu : kCpu;
    const Problem100 problem(bench.exec, cube, published(kIterations));
    Buffer pinned(cuda ? MemoryKind::Pinned : MemoryKind::Host, problem.samples().bytes());
    Buffer filter(cuda ? MemoryKind::Pinned : MemoryKind::Host,
                  cube.delayS.size() * sizeof(Complex));
    std::copy(cube.samples.begin(), cube.samples.end(), pinned.as<float>());
    const int calls = cuda ? 10 : 1;
    const auto time = [&](const std::function<void()>& work) {
        return medianWorkMs(bench.exec, bench.repeat, calls, work);
    };
    const double copyIn =
        time([&] { upload(bench.exec, problem.samples().data(), pinned.data(), pinned.bytes()); });
    const double transform = time([&] { problem.transform(); });
    const double correlation = time([&] { problem.iterate(); });
    const Complex* result = problem.iterate();
    const double copyOut =
        time([&] { download(bench.exec, filter.data(), result, filter.bytes()); });
    const double both = time([&] {
        problem.transform();
        problem.iterate();
    });
    if (cuda) device::synchronize(bench.exec.stream);
    std::vector<float> found(filter.as<float>(), filter.as<float>() + 2 * cube.delayS.size());
    const double deviation = deviationOf(
        found, reference(cube.grid, onHost(bench.exec, problem.spectra()), kIterations));
    const auto row = [&](const char* entry, double was, std::optional<double> now,
                         const char* note = "") {
        bench.take({.table = kTable,
                    .entry = entry,
                    .unit = "ms",
                    .published = was > 0.0 ? std::optional<double>(was) : std::nullopt,
                    .measured = now,
                    .note = note});
    };
    row("Copy in", published_.copyIn, copyIn, cuda ? "single precision; published double" : "");
    row("Cast to single precision", published_.cast, std::nullopt, "samples are single already");
    row("Fourier transform", published_.transform, transform, "the 15 bins alone");
    bench.take({.table = kTable,
                .entry = "Correlation and 21 iterations",
                .unit = "ms",
                .published = published_.correlation,
                .measured = correlation,
                .deviation = deviation,
                .allowed = 1e-3,
                .note = "M computed once"});
    row("Copy out", published_.copyOut, copyOut);
    row("From samples in memory to the filter",
        published_.cast + published_.transform + published_.correlation, both,
        "real time: 0.167 ms per beam");
    row("Total", published_.total, copyIn + both + copyOut);
}

/// Sections 5.2.1, 5.3.3 and 5.3.4: when the iteration ends, and what fewer bins or iterations
/// save.
void benchVariants(const DocumentBench& bench, const Cube& cube) {
    const std::string table = "S2 sections 5.2.1 and 5.3, the published iteration varied";
    const bool cuda = bench.exec.backend == Backend::Cuda;
    for (const aberration::PublishedEnd& end : aberration::kPublishedEnds) {
        SolveParams params = published(50);
        params.epsilon = end.epsilon;
        const Problem100 problem(bench.exec, cube, params);
        problem.transform();
        problem.estimate();
        bench.take(
            {.table = table,
             .entry = fmt::format("Iterations until the change is below {:g}", end.epsilon),
             .unit = "iterations",
             .published = static_cast<double>(end.iterations),
             .measured = problem.iterations(),
             .note =
                 "a known screen of 50 ns; the number depends on the scale of the data, which the "
                 "document keeps to itself"});
    }
    const struct {
        const char* entry;
        BinRange bins;
        int iterations;
        std::optional<double> published; ///< on the Tesla C1060
        const char* note;
    } kVariants[] = {{"Correlation, 1 bin, 21 iterations", {25, 1}, kIterations, 39.73, ""},
                     {"Correlation, 11 bins, 21 iterations",
                      {20, 11},
                      kIterations,
                      {},
                      "published: 113 ms in all"},
                     {"Correlation, 15 bins, 1 iteration", {kFirstBin, kBins}, 1, 39.0, ""}};
    for (const auto& variant : kVariants) {
        const Problem100 problem(bench.exec, cube, published(variant.iterations), variant.bins);
        problem.transform();
        const double ms =
            medianWorkMs(bench.exec, bench.repeat, cuda ? 10 : 1, [&] { problem.iterate(); });
        bench.take({.table = table,
                    .entry = variant.entry,
                    .unit = "ms",
                    .published = cuda ? variant.published : std::nullopt,
                    .measured = ms,
                    .note = variant.note});
    }
}

/// Reports the residual after removal of piston and tilt, and the time from samples to delays.
void benchScreens(const DocumentBench& bench) {
    const int side = bench.reduced ? 30 : 100;
    const struct {
        std::int32_t rows;
        std::int32_t columns;
    } arrays[] = {{side, side}, {1, 128}};
    const bool cuda = bench.exec.backend == Backend::Cuda;
    for (const auto& array : arrays) {
        const std::string table =
            fmt::format("Known screens of 50 ns and 3 dB rms, {} x {} elements, least squares",
                        array.rows, array.columns);
        for (const double length : {3.0, 8.0, 20.0}) {
            const Cube cube = makeCube(array.rows, array.columns, length);
            SolveParams params;
            params.radius = cube.grid.isLine() ? 3 : 1;
            const Problem100 problem(bench.exec, cube, params);
            const auto whole = [&] {
                problem.transform();
                problem.estimate();
            };
            const double ms = medianWorkMs(bench.exec, bench.repeat, cuda ? 10 : 1, whole);
            const std::vector<float> delays = problem.delays();
            std::vector<double> rest(cube.delayS.size());
            for (std::size_t k = 0; k < rest.size(); ++k) rest[k] = delays[k] - cube.delayS[k];
            const double residual = 1e9 * rootMeanSquare(withoutPistonAndTilt(cube.grid, rest));
            bench.take({.table = table,
                        .entry = fmt::format("Correlation length of {:.0f} elements", length),
                        .unit = "ms",
                        .measured = ms,
                        .note = fmt::format("{:.1f} ns rms left", residual)});
        }
    }
}

} // namespace

void benchAberration(const DocumentBench& bench) {
    const int side = bench.reduced ? 30 : 100;
    const Cube cube = makeCube(side, side, 8.0);
    benchTable(bench, cube);
    benchVariants(bench, cube);
    benchScreens(bench);
}

} // namespace echolux
