// SPDX-License-Identifier: GPL-3.0-or-later
// S2, table 5.2: an aberration filter of 100 x 100 elements, its parts, and the whole on the GPU
// against the CPU. Also measures how well and how fast known screens are found.
#include "app/bench/documents.hpp"
#include "app/prediction/timed_work.hpp"

#include "app/bench/aberration_problem.hpp"
#include "app/bench/aberration_steps.hpp"
#include "app/bench/runs.hpp"
#include "gpu/aberration/host_estimate.hpp"
#include "gpu/ladder/double_cast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace echolux::herikstad {
namespace {

using namespace aberration;

constexpr const char* kTable =
    "S2 table 5.2, 100 x 100 elements, 512 samples, 15 bins, 5 x 5, 21 iterations";

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

/// The document's work for one filter. It copies the samples as complex numbers in double
/// precision, with imaginary parts of 0; its CUDA program casts them to single precision. The
/// transform here reads real samples in single precision, which lie there already.
class DocumentRun {
public:
    DocumentRun(const Exec& exec, const Cube& cube, int iterations, const BinRange& bins = kBins)
        : m_exec(exec), m_problem(exec, cube, published(iterations), bins),
          m_host(stagingMemory(exec.backend), 2 * cube.samples.size() * sizeof(double)),
          m_doubles(computeMemory(exec.backend), m_host.bytes()),
          m_floats(computeMemory(exec.backend), m_host.bytes() / 2),
          m_filter(stagingMemory(exec.backend), cube.delayS.size() * sizeof(Complex)) {
        auto* to = m_host.as<double>();
        for (const float sample : cube.samples) {
            *to++ = sample;
            *to++ = 0.0;
        }
    }

    const Problem& problem() const { return m_problem; }
    void copyIn() const { upload(m_exec, m_doubles.data(), m_host.data(), m_host.bytes()); }
    void cast() const {
        ladder::castToFloat(m_exec, m_doubles.as<double>(),
                            static_cast<std::int64_t>(m_doubles.bytes() / sizeof(double)),
                            m_floats.as<float>());
    }
    void copyOut(const Complex* result) const {
        download(m_exec, m_filter.data(), result, m_filter.bytes());
    }
    void whole() const {
        copyIn();
        if (m_exec.backend == Backend::Cuda) cast();
        m_problem.transform();
        copyOut(m_problem.iterate());
    }
    /// Milliseconds of whole().
    double wholeMs(int repeat) const {
        return medianWorkMs(m_exec, repeat, m_exec.backend == Backend::Cuda ? 10 : 1,
                            [&] { whole(); });
    }
    /// Mean milliseconds of whole() over `runs` runs, one at a time, without the first.
    double meanMs(int runs) const {
        using Clock = std::chrono::steady_clock;
        std::chrono::duration<double, std::milli> spent{};
        for (int i = 0; i < runs; ++i) {
            const auto from = Clock::now();
            whole();
            if (m_exec.backend == Backend::Cuda) device::synchronize(m_exec.stream);
            if (i > 0) spent += Clock::now() - from;
        }
        return spent.count() / (runs - 1);
    }
    /// Greatest difference of the floats from the doubles, relative to the greatest double.
    double castDeviation() const {
        const std::vector<float> found = onHost(m_exec, m_floats);
        Deviation deviation;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const double wanted = m_host.as<double>()[i];
            deviation.add(std::abs(wanted), std::abs(double{found[i]} - wanted));
        }
        return deviation.relative();
    }
    double filterDeviation(const Cube& cube) const {
        if (m_exec.backend == Backend::Cuda) device::synchronize(m_exec.stream);
        const auto* first = m_filter.as<float>();
        return deviationOf(
            {first, first + 2 * cube.delayS.size()},
            reference(cube.grid, onHost(m_exec, m_problem.spectra()), kBins.count, kIterations));
    }

private:
    Exec m_exec;
    Problem m_problem;
    Buffer m_host;
    Buffer m_doubles;
    Buffer m_floats;
    Buffer m_filter;
};

void benchTable(const DocumentBench& bench, const Cube& cube) {
    const bool cuda = bench.exec.backend == Backend::Cuda;
    const Published was = cuda ? kGpu : kCpu;
    const DocumentRun run(bench.exec, cube, kIterations);
    const Problem& problem = run.problem();
    Buffer single(stagingMemory(bench.exec.backend), problem.samples().bytes());
    std::copy(cube.samples.begin(), cube.samples.end(), single.as<float>());
    const auto time = [&](const std::function<void()>& work) {
        return medianWorkMs(bench.exec, bench.repeat, cuda ? 10 : 1, work);
    };
    const auto row = [&](const char* entry, double published, double now, const char* note = "",
                         std::optional<double> deviation = {}, double allowed = 0.0) {
        bench.take({.table = kTable,
                    .entry = entry,
                    .unit = "ms",
                    .published = published > 0.0 ? std::optional(published) : std::nullopt,
                    .measured = now,
                    .deviation = deviation,
                    .allowed = allowed,
                    .note = note});
    };
    row("Copy in", was.copyIn, time([&] { run.copyIn(); }), "complex doubles, as published");
    const double copySingle =
        time([&] { upload(bench.exec, problem.samples().data(), single.data(), single.bytes()); });
    row("Copy in, single precision", 0.0, copySingle, "real samples");
    const double cast = time([&] { run.cast(); });
    row("Cast to single precision", was.cast, cast,
        cuda ? "real and imaginary parts" : "published for the GPU only", run.castDeviation(),
        1e-7);
    row("Fourier transform", was.transform, time([&] { problem.transform(); }),
        "the 15 bins alone");
    const double correlation = time([&] { problem.iterate(); });
    const Complex* result = problem.iterate();
    const double copyOut = time([&] { run.copyOut(result); });
    row("Correlation and 21 iterations", was.correlation, correlation, "M computed once",
        run.filterDeviation(cube), 1e-3);
    row("Copy out", was.copyOut, copyOut);
    const double both = time([&] {
        problem.transform();
        problem.iterate();
    });
    row("From samples in memory to the filter", was.transform + was.correlation, both,
        "real time: 0.167 ms per beam");
    row("Total", was.total, run.wholeMs(bench.repeat),
        cuda ? "complex doubles copied and cast" : "complex doubles copied");
    row("Total, single precision", 0.0, copySingle + both + copyOut);
}

/// Section 5.2.2, figure 5.6.
void benchSpeedUp(const DocumentBench& bench, const Cube& cube) {
    const int runs = bench.reduced ? 3 : 101;
    const std::string table =
        fmt::format("S2 section 5.2.2, figure 5.6, mean of {} runs, without the first", runs);
    const auto row = [&](const char* entry, const char* unit, std::optional<double> published,
                         std::optional<double> measured) {
        bench.take({.table = table,
                    .entry = entry,
                    .unit = unit,
                    .published = published,
                    .measured = measured,
                    .note = measured ? "" : "needs a CUDA card"});
    };
    const DocumentRun onCpu({}, cube, kIterations);
    const double many = onCpu.meanMs(runs);
    const double one = [&] {
        const auto limit = oneThread();
        return onCpu.meanMs(runs);
    }();
    std::optional<double> gpu;
    if (bench.exec.backend == Backend::Cuda)
        gpu = DocumentRun(bench.exec, cube, kIterations).meanMs(runs);
    const auto times = [&](double cpu) { return gpu ? std::optional(cpu / *gpu) : std::nullopt; };
    row("GPU", "ms", 152.49, gpu);
    row("CPU, one thread", "ms", 807.23, one);
    row("CPU, all threads", "ms", std::nullopt, many);
    row("GPU over one thread of the CPU", "times faster", 5.29, times(one));
    row("GPU over all threads of the CPU", "times faster", std::nullopt, times(many));
}

/// Sections 5.3.3 and 5.3.4: what fewer bins or iterations save. 39.73 ms are published as 29.74 %
/// of the correlation with 15 bins, and 39 ms beside its 133 ms, so both are without copies and
/// transform; 113 ms is a total.
void benchVariants(const DocumentBench& bench, const Cube& cube) {
    constexpr BinRange kNarrower{20, 11};
    const bool cuda = bench.exec.backend == Backend::Cuda;
    const auto correlation = [&](const BinRange& bins, int iterations) {
        const Problem problem(bench.exec, cube, published(iterations), bins);
        problem.transform();
        return medianWorkMs(bench.exec, bench.repeat, cuda ? 10 : 1, [&] { problem.iterate(); });
    };
    const auto row = [&](const char* entry, std::optional<double> was, double now,
                         const char* note = "") {
        bench.take({.table = "S2 section 5.3, fewer bins or iterations",
                    .entry = entry,
                    .unit = "ms",
                    .published = cuda ? was : std::nullopt,
                    .measured = now,
                    .note = note});
    };
    row("Correlation, 1 bin, 21 iterations", 39.73, correlation({25, 1}, kIterations));
    row("Correlation, 11 bins, 21 iterations", {}, correlation(kNarrower, kIterations));
    row("Total, 11 bins, 21 iterations", 113.0,
        DocumentRun(bench.exec, cube, kIterations, kNarrower).wholeMs(bench.repeat),
        "a bandwidth of 10 bins, and the centre");
    row("Correlation, 15 bins, 1 iteration", 39.0, correlation(kBins, 1));
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
            const Problem problem(bench.exec, cube, params);
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
} // namespace echolux::herikstad

void echolux::benchAberration(const DocumentBench& bench) {
    using namespace herikstad;
    const int side = bench.reduced ? 30 : 100;
    const Cube cube = makeCube(side, side, 8.0);
    benchTable(bench, cube);
    benchSpeedUp(bench, cube);
    benchVariants(bench, cube);
    benchScales(bench, cube);
    benchKernels(bench, cube);
    benchScreens(bench);
}
