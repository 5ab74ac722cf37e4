// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/aberration_steps.hpp"

#include "app/bench/runs.hpp"
#include "app/prediction/timed_work.hpp"
#include "gpu/aberration/host_estimate.hpp"
#include "gpu/ladder/apron_tile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux::herikstad {

using namespace aberration;
using ladder::ApronProblem;
using ladder::NeighbourMemory;

namespace {

constexpr int kMostIterations = 50; ///< of the published programs
using Counts = std::array<double, kPublishedEnds.size()>;

/// Iterations until the change is below each published epsilon.
Counts countsOf(const Exec& exec, const Cube& cube, Method method) {
    Counts counts{};
    for (std::size_t i = 0; i < counts.size(); ++i) {
        SolveParams params = published(kMostIterations);
        params.method = method;
        params.epsilon = kPublishedEnds[i].epsilon;
        const Problem problem(exec, cube, params);
        problem.transform();
        problem.estimate();
        counts[i] = problem.iterations();
    }
    return counts;
}

/// 0 where the counts are those published; else the sum of their ratios' logarithms.
double distanceOf(const Counts& counts) {
    double sum = 0.0;
    for (std::size_t i = 0; i < counts.size(); ++i)
        sum += std::abs(std::log(counts[i] / kPublishedEnds[i].iterations));
    return sum;
}

} // namespace

void benchScales(const DocumentBench& bench, const Cube& cube) {
    const struct {
        const char* name;
        Method method;
    } programs[] = {{"C program", Method::Cpu}, {"CUDA program", Method::Gpu}};
    for (const auto& program : programs) {
        const std::string table = fmt::format(
            "S2 section 5.2.1, iterations of the {}, by the data's scale", program.name);
        double nearest = 0.0;
        Counts best{};
        for (const double scale :
             {1.0 / 64, 1.0 / 16, 1.0 / 4, 0.5, 0.7, 0.8, 0.9, 1.0, 2.0, 8.0}) {
            Cube scaled = cube;
            for (float& sample : scaled.samples) sample *= static_cast<float>(scale);
            const Counts counts = countsOf(bench.exec, scaled, program.method);
            if (nearest == 0.0 || distanceOf(counts) < distanceOf(best)) {
                nearest = scale;
                best = counts;
            }
            bench.take({.table = table,
                        .entry = fmt::format("greatest sample {:.4g}, change below {:g}", scale,
                                             kPublishedEnds[0].epsilon),
                        .unit = "iterations",
                        .published = static_cast<double>(kPublishedEnds[0].iterations),
                        .measured = counts[0],
                        .note = fmt::format("below {:g} after {:.0f}, below {:g} after {:.0f}",
                                            kPublishedEnds[1].epsilon, counts[1],
                                            kPublishedEnds[2].epsilon, counts[2])});
        }
        for (std::size_t i = 0; i < best.size(); ++i)
            bench.take(
                {.table = table,
                 .entry =
                     fmt::format("nearest scale, change below {:g}", kPublishedEnds[i].epsilon),
                 .unit = "iterations",
                 .published = static_cast<double>(kPublishedEnds[i].iterations),
                 .measured = best[i],
                 .note = fmt::format("greatest sample {:.4g}; equation 4.1 makes it 1", nearest)});
    }
}

namespace {

/// The published iteration with M computed in each step, on spectra in compute memory.
class Apron {
public:
    Apron(const Exec& exec, const Cube& cube, const Buffer& spectra, std::int64_t bins)
        : m_exec(exec), m_problem{cube.grid.rows, cube.grid.columns,
                                  static_cast<std::int32_t>(bins), 0.1F},
          m_spectra{spectra.as<Complex>(), 0},
          m_start(inComputeMemory(exec, std::vector<Complex>(cube.delayS.size(), {1.0F, 0.0F}))),
          m_filters{Buffer(computeMemory(exec.backend), m_start.bytes()),
                    Buffer(computeMemory(exec.backend), m_start.bytes())} {
        if (exec.backend != Backend::Cuda) return;
        m_planes = Buffer(computeMemory(exec.backend),
                          static_cast<std::size_t>(ladder::planeFloats(m_problem)) * sizeof(float));
        ladder::fillPlanes(exec, m_problem, m_spectra.values, m_planes.as<float>());
        m_spectra.planes = ladder::createPlaneTexture(m_problem, m_planes.as<float>());
    }
    ~Apron() {
        if (m_spectra.planes != 0) device::destroyTexture(m_spectra.planes);
    }
    Apron(const Apron&) = delete;
    Apron& operator=(const Apron&) = delete;

    void run(NeighbourMemory memory, int side) const {
        const Complex* from = m_start.as<Complex>();
        for (std::size_t i = 0; i < kIterations; ++i) {
            auto* to = m_filters[i % 2].as<Complex>();
            ladder::apronIteration(m_exec, memory, m_problem, side, m_spectra, from, to);
            from = to;
        }
    }
    std::vector<float> filter() const { return onHost(m_exec, m_filters[(kIterations - 1) % 2]); }
    const ApronProblem& problem() const { return m_problem; }

private:
    Exec m_exec;
    ApronProblem m_problem;
    ladder::ApronSpectra m_spectra;
    Buffer m_start;
    std::array<Buffer, 2> m_filters;
    Buffer m_planes;
};

constexpr int kDocumentSide = 11; ///< of a block of threads, with 15 bins

std::string tileName(int side) {
    const int outputs = side - 2 * ladder::kApronRadius;
    return fmt::format("{} x {} threads, {} x {} outputs", side, side, outputs, outputs);
}

/// How a tile fills a multiprocessor.
std::string occupancyOf(const ApronProblem& problem, int side) {
    return fmt::format("{} bytes of a block; {} warps at once on a multiprocessor",
                       ladder::apronTileBytes(side, problem.bins),
                       ladder::apronWarpsAtOnce(problem, side));
}

void benchTiles(const DocumentBench& bench, const Cube& cube) {
    const std::string table = "S2 section 4.3.5, 21 iterations that compare anew in each";
    const std::string sides = "S2 figure 5.9, the same by threads per block";
    const bool cuda = bench.exec.backend == Backend::Cuda;
    const Problem problem(bench.exec, cube, published(kIterations));
    problem.transform();
    const Apron apron(bench.exec, cube, problem.spectra(), kBins.count);
    const auto expected =
        reference(cube.grid, onHost(bench.exec, problem.spectra()), kBins.count, kIterations);
    const auto row = [&](const std::string& of, const std::string& entry, NeighbourMemory memory,
                         int side, std::optional<double> was, std::string note) {
        DocumentEntry line{.table = of, .entry = entry, .unit = "ms", .note = std::move(note)};
        line.published = was;
        if (memory == NeighbourMemory::Global || cuda) {
            line.measured = medianWorkMs(bench.exec, bench.repeat, cuda ? 10 : 1,
                                         [&] { apron.run(memory, side); });
            line.deviation = deviationOf(apron.filter(), expected);
            line.allowed = 1e-3;
        } else {
            line.note = "exists on CUDA only";
        }
        bench.take(line);
    };
    const auto occupied = [&](int side) { return occupancyOf(apron.problem(), side); };
    row(table, "tile in shared memory, " + tileName(kDocumentSide), NeighbourMemory::Shared,
        kDocumentSide, cuda ? std::optional(133.6) : std::nullopt, occupied(kDocumentSide));
    row(table, "spectra from global memory", NeighbourMemory::Global, kDocumentSide,
        cuda ? std::nullopt : std::optional(716.192), "");
    row(table, "spectra by texture, 16 x 16 threads", NeighbourMemory::Texture, 16, {},
        "section 6.2");
    for (int side = 7; side <= 17; side += 2)
        row(sides, tileName(side), NeighbourMemory::Shared, side, {}, occupied(side));
    if (!cuda) return;
    constexpr BinRange kNarrower{20, 11};
    constexpr int kSide = 13;
    const Problem narrower(bench.exec, cube, published(kIterations), kNarrower);
    narrower.transform();
    const Apron less(bench.exec, cube, narrower.spectra(), kNarrower.count);
    bench.take({.table = sides,
                .entry = "11 bins, " + tileName(kSide),
                .unit = "ms",
                .measured = medianWorkMs(bench.exec, bench.repeat, 10,
                                         [&] { less.run(NeighbourMemory::Shared, kSide); }),
                .note = occupancyOf(less.problem(), kSide)});
}

/// Section 6.2: samples of 16 bits without a cast.
void benchCodes(const DocumentBench& bench, const Cube& cube) {
    constexpr float kFullScale = 32767.0F;
    const bool cuda = bench.exec.backend == Backend::Cuda;
    std::vector<std::int16_t> codes(cube.samples.size());
    std::ranges::transform(cube.samples, codes.begin(), [](float sample) {
        return static_cast<std::int16_t>(std::lround(kFullScale * sample));
    });
    const std::int64_t places = cube.grid.places();
    const Buffer samples = inComputeMemory(bench.exec, codes);
    const Buffer turns = inComputeMemory(bench.exec, turnsOf(kSamples));
    const auto count = static_cast<std::size_t>(places * kBins.count);
    const Buffer spectra(computeMemory(bench.exec.backend), count * sizeof(Complex));
    Buffer staged(stagingMemory(bench.exec.backend), samples.bytes());
    std::ranges::copy(codes, staged.as<std::int16_t>());
    const auto row = [&](const char* entry, const std::function<void()>& work) {
        return DocumentEntry{.table = "S2 section 6.2, samples of 16 bits",
                             .entry = entry,
                             .unit = "ms",
                             .measured =
                                 medianWorkMs(bench.exec, bench.repeat, cuda ? 10 : 1, work)};
    };
    bench.take(
        row("Copy in", [&] { upload(bench.exec, samples.data(), staged.data(), staged.bytes()); }));
    DocumentEntry transform = row("Fourier transform, the 15 bins, no cast", [&] {
        alignedBins(bench.exec, samples.as<std::int16_t>(), places, kSamples, kBins,
                    turns.as<Complex>(), {spectra.as<Complex>(), count});
    });
    const Problem floats(bench.exec, cube, published(1));
    floats.transform();
    const std::vector<float> wanted = onHost(bench.exec, floats.spectra());
    transform.deviation = deviationAt(onHost(bench.exec, spectra), [&](std::int64_t i) {
        return double{kFullScale} * wanted[static_cast<std::size_t>(i)];
    });
    transform.allowed = 1e-3;
    bench.take(transform);
}

} // namespace

void benchKernels(const DocumentBench& bench, const Cube& cube) {
    benchTiles(bench, cube);
    benchCodes(bench, cube);
}

} // namespace echolux::herikstad
