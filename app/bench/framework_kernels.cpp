// SPDX-License-Identifier: GPL-3.0-or-later
// S3, tables 5.7 and 5.8: the document's own kernels, on which its model was tried.
#include "app/bench/documents.hpp"
#include "app/prediction/timed_work.hpp"

#include "app/bench/runs.hpp"
#include "gpu/ladder/line_filters.hpp"
#include "gpu/ladder/matrix_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace echolux {
namespace {

constexpr const char* kKernelTable = "S3 tables 5.7 and 5.8, its kernels";
constexpr std::array kHalfFilter{-0.0049F, 0.1007F, 0.4761F, 0.4761F, 0.1007F, -0.0049F};
constexpr int kHilbertWindow = 15;

/// [lines][samples] of noise.
struct NoisyLines {
    std::int64_t lines;
    std::int64_t samples;
    std::vector<float> values = randomNumbers(static_cast<std::size_t>(lines * samples));
    double at(std::int64_t line, std::int64_t n) const {
        if (n < 0 || n >= samples) return 0.0;
        return double{values[static_cast<std::size_t>(line * samples + n)]};
    }
};

double bandpassAt(const NoisyLines& in, std::int64_t i) {
    double sum = 0.0;
    const auto taps = std::ssize(kHalfFilter);
    for (std::ptrdiff_t j = 0; j < taps; ++j) {
        double forward = 0.0; // the first pass at n + j; nothing is filtered beyond the line
        const std::int64_t n = i % in.samples + j;
        if (n >= in.samples) break;
        for (std::ptrdiff_t k = 0; k < taps; ++k)
            forward +=
                double{kHalfFilter[static_cast<std::size_t>(k)]} * in.at(i / in.samples, n - k);
        sum += double{kHalfFilter[static_cast<std::size_t>(j)]} * forward;
    }
    return sum;
}

double envelopeAt(const NoisyLines& in, std::int64_t i) {
    const std::int64_t line = i / in.samples;
    const std::int64_t n = i % in.samples;
    double sum = 0.0;
    for (int m = 1; m <= kHilbertWindow; m += 2)
        sum += (in.at(line, n + m) - in.at(line, n - m)) / m;
    return std::hypot(in.at(line, n), 2.0 / std::numbers::pi * sum);
}

void takeKernel(const DocumentBench& bench, std::string entry, double ms, double deviation,
                std::string note, std::optional<double> publishedUs = {}) {
    bench.take({.table = kKernelTable,
                .entry = std::move(entry),
                .unit = "us",
                .published = publishedUs,
                .measured = 1e3 * ms,
                .deviation = deviation,
                .allowed = 1e-5,
                .note = std::move(note)});
}

void benchLineKernels(const DocumentBench& bench) {
    using ladder::LineMemory;
    const NoisyLines data{128, bench.reduced ? 416 : 6649};
    const Exec& exec = bench.exec;
    const Buffer in = inComputeMemory(exec, data.values);
    const Buffer between(computeMemory(exec.backend), in.bytes());
    const Buffer out(computeMemory(exec.backend), in.bytes());
    for (const LineMemory memory : {LineMemory::Shared, LineMemory::Global}) {
        const bool onCpu = exec.backend == Backend::Cpu; // which has one form of each filter
        if (onCpu && memory == LineMemory::Global) continue;
        const char* const where = onCpu                          ? ""
                                  : memory == LineMemory::Shared ? ", shared memory"
                                                                 : ", global memory";
        const double bandMs = medianWorkMs(exec, bench.repeat, 1, [&] {
            ladder::filterBothWays(exec, memory, kHalfFilter, data.lines, data.samples,
                                   in.as<float>(), between.as<float>(), out.as<float>());
        });
        takeKernel(
            bench, fmt::format("band-pass, two launches{}", where), bandMs,
            deviationAt(onHost(exec, out), [&](std::int64_t i) { return bandpassAt(data, i); }),
            "GTX 470 189, GTX 660 Ti 187, of a size that is not given");
        const double envelopeMs = medianWorkMs(exec, bench.repeat, 1, [&] {
            ladder::hilbertEnvelope(exec, memory, kHilbertWindow, data.lines, data.samples,
                                    in.as<float>(), out.as<float>());
        });
        takeKernel(
            bench, fmt::format("Hilbert envelope{}", where), envelopeMs,
            deviationAt(onHost(exec, out), [&](std::int64_t i) { return envelopeAt(data, i); }),
            "GTX 470 241, GTX 660 Ti 260, of a size that is not given");
    }
}

void benchMatrix(const DocumentBench& bench, std::int64_t n, double publishedUs, const char* note) {
    const Exec& exec = bench.exec;
    const auto count = static_cast<std::size_t>(n * n);
    const std::vector<float> a = randomNumbers(2 * count);
    const std::vector<float> b(a.begin() + static_cast<std::ptrdiff_t>(count), a.end());
    const Buffer left = inComputeMemory(exec, a);
    const Buffer right = inComputeMemory(exec, b);
    const Buffer product(computeMemory(exec.backend), right.bytes());
    const double ms = medianWorkMs(exec, bench.repeat, 1, [&] {
        ladder::multiplyMatrices(exec, n, left.as<float>(), right.as<float>(), product.as<float>());
    });
    const double deviation = deviationAt(onHost(exec, product), [&](std::int64_t i) {
        double sum = 0.0;
        for (std::int64_t k = 0; k < n; ++k)
            sum += double{a[static_cast<std::size_t>(i / n * n + k)]} *
                   double{b[static_cast<std::size_t>(k * n + i % n)]};
        return sum;
    });
    takeKernel(bench, fmt::format("matrix product, {0} x {0}", n), ms, deviation, note,
               publishedUs);
}

} // namespace

void benchFrameworkKernels(const DocumentBench& bench) {
    benchLineKernels(bench);
    benchMatrix(bench, 256, 176, "GTX 660 Ti; GTX 470 201");
    if (bench.exec.backend == Backend::Cuda && !bench.reduced)
        benchMatrix(bench, 2048, 72307, "GTX 660 Ti; GTX 470 91008");
}

} // namespace echolux
