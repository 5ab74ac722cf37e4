// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/aberration_problem.hpp"

#include "app/bench/runs.hpp"
#include "gpu/aberration/host_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace echolux::herikstad {

using namespace aberration;

namespace {

std::size_t room(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

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

} // namespace

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
    params.epsilon = 0.0;
    return params;
}

std::vector<std::complex<double>> reference(const ElementGrid& grid,
                                            const std::vector<float>& spectra, std::int64_t bins,
                                            int iterations) {
    const auto places = static_cast<std::size_t>(grid.places());
    const auto count = static_cast<std::size_t>(bins);
    const auto y = [&](std::size_t place, std::size_t bin) {
        const std::size_t i = 2 * (place * count + bin);
        return std::complex<double>(spectra[i], spectra[i + 1]);
    };
    const auto cross = [&](std::size_t a, std::size_t b) {
        std::complex<double> sum;
        for (std::size_t bin = 0; bin < count; ++bin) sum += y(a, bin) * std::conj(y(b, bin));
        return sum / static_cast<double>(count);
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

Problem::Problem(const Exec& exec, const Cube& cube, const SolveParams& params,
                 const BinRange& bins)
    : m_exec(exec), m_bins(bins),
      m_estimator(cube.grid, 1, frequenciesOf(bins, kSamplingHz, kSamples),
                  static_cast<double>(bins.count), params),
      m_samples(inComputeMemory(exec, cube.samples)),
      m_turns(inComputeMemory(exec, turnsOf(kSamples))),
      m_spectra(computeMemory(exec.backend), room(m_estimator.spectraCount() * 8)),
      m_scratch(computeMemory(exec.backend), m_estimator.scratchBytes()),
      m_tables(computeMemory(exec.backend), m_estimator.tableBytes()),
      m_phase(computeMemory(exec.backend), room(cube.grid.places() * 4)),
      m_results(computeMemory(exec.backend), room((3 * m_estimator.elements() + kFigures) * 4)) {
    m_estimator.prepare(exec, m_tables.data());
    if (exec.backend == Backend::Cuda) device::synchronize(exec.stream);
}

void Problem::transform() const {
    alignedBins(m_exec, m_samples.as<float>(), m_estimator.grid().places(), kSamples, m_bins,
                m_turns.as<Complex>(), {m_spectra.as<Complex>(), room(m_estimator.spectraCount())});
}

const Complex* Problem::iterate() const {
    return m_estimator.iterateOnly(m_exec, m_spectra.as<Complex>(), m_scratch.data());
}

void Problem::estimate() const {
    fillBytes(m_exec, m_phase.data(), 0, m_phase.bytes());
    auto* results = m_results.as<float>();
    const std::int32_t elements = m_estimator.elements();
    m_estimator.run(m_exec, m_spectra.as<Complex>(), m_phase.as<float>(), m_scratch.data(),
                    {results, results + elements, results + 2 * elements, results + 3 * elements});
}

std::vector<float> Problem::delays() const {
    std::vector<float> all = onHost(m_exec, m_results);
    all.resize(static_cast<std::size_t>(m_estimator.elements()));
    return all;
}

double Problem::iterations() const {
    const auto figures = static_cast<std::size_t>(3 * m_estimator.elements());
    return onHost(m_exec, m_results)[figures + static_cast<std::size_t>(Figure::Iterations)];
}

} // namespace echolux::herikstad
