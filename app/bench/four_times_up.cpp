// SPDX-License-Identifier: GPL-3.0-or-later
// S1: 4xUP with parts left out, by block size and by number of taps (section 4.5.2), and with codes
// as output (section 4.7).
#include "app/bench/four_times_up.hpp"

#include "app/bench/runs.hpp"
#include "app/bench/scan_data.hpp"
#include "app/prediction/timed_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

namespace echolux {
namespace {

using ladder::UpProblem;
using ladder::UpVariant;

constexpr const char* kUpParts = "S1 section 4.5.2, 4xUP, 128 x 32768 (published: cycles)";
constexpr double kAllowedOfUp = 2e-4;
constexpr double kSamplesOfThread = 2.0;

std::vector<std::int16_t> codesOf(const std::vector<float>& values) {
    std::vector<std::int16_t> codes;
    codes.reserve(values.size());
    for (const float value : values)
        codes.push_back(static_cast<std::int16_t>(std::lround(value * ladder::kCodePeak)));
    return codes;
}

/// The values of the codes with which the first half of `memory` is filled.
std::vector<float> valuesOnHost(const Exec& exec, const Buffer& memory) {
    std::vector<std::int16_t> codes(memory.bytes() / 2 / sizeof(std::int16_t));
    download(exec, codes.data(), memory.data(), codes.size() * sizeof(std::int16_t));
    if (exec.backend == Backend::Cuda) device::synchronize(exec.stream);
    std::vector<float> values(codes.size());
    std::ranges::transform(codes, values.begin(), [](std::int16_t code) {
        return static_cast<float>(code) / ladder::kCodePeak;
    });
    return values;
}

/// Output `p` behind sample `at` of a line, by the formula of four_times_up.hpp.
double exactUp(const UpProblem& problem, const float* line, std::int32_t at, int p) {
    const bool loads = problem.variant != UpVariant::NoLoads;
    const auto sample = [&](std::int32_t n) {
        if (!loads) return double{ladder::kUnloaded};
        return n >= 0 && n < problem.samples ? double{line[n]} : 0.0;
    };
    if (p == 0) return sample(at);
    double sum = 0.0;
    for (int j = 0; j < problem.taps; ++j)
        sum += ladder::upTap(problem.taps, p, j) * sample(at + j - problem.taps / 2);
    return sum;
}

} // namespace

double upDeviation(const UpProblem& problem, const std::vector<float>& exact,
                   const std::vector<float>& up, bool clipped) {
    constexpr std::int32_t kStride = 37;
    const std::int32_t samples = problem.samples;
    double greatest = 0.0;
    double worst = 0.0;
    for (std::int64_t line = 0; line < problem.lines; ++line) {
        const float* x = exact.data() + line * samples;
        for (std::int32_t at = 0; at < samples; at += at < 64 || at + 64 > samples ? 1 : kStride) {
            for (int p = 0; p < 4; ++p) {
                const double sum = exactUp(problem, x, at, p);
                const double expected = clipped ? std::clamp(sum, -1.0, 1.0) : sum;
                const float got = up[static_cast<std::size_t>((line * samples + at) * 4 + p)];
                if (std::isnan(got)) return std::numeric_limits<double>::max();
                greatest = std::max(greatest, std::abs(double{got}));
                worst = std::max(worst, std::abs(expected - double{got}));
            }
        }
    }
    return greatest > 0.0 ? worst / greatest : 1.0;
}

UpNoise::UpNoise(const DocumentBench& bench)
    : m_bench(bench), m_lines(bench.reduced ? 3 : 128), m_samples(bench.reduced ? 2050 : 32768),
      m_noise(randomNumbers(static_cast<std::size_t>(m_lines * m_samples))),
      m_in(inComputeMemory(bench.exec, codesOf(m_noise))),
      m_out(computeMemory(bench.exec.backend), m_noise.size() * 4 * sizeof(float)) {}

DocumentEntry UpNoise::measure(const char* table, std::string name, UpProblem problem,
                               bool codes) const {
    const Exec& exec = m_bench.exec;
    problem.lines = m_lines;
    problem.samples = m_samples;
    fillBytes(exec, m_out.data(), 0xFF, m_out.bytes());
    const double ms = medianWorkMs(exec, m_bench.repeat, 1, [&] {
        codes ? fourTimesUp(exec, problem, m_in.as<std::int16_t>(), m_out.as<std::int16_t>())
              : fourTimesUp(exec, problem, m_in.as<std::int16_t>(), m_out.as<float>());
    });
    DocumentEntry entry{.table = table, .entry = std::move(name), .unit = "samples/s"};
    entry.measured = static_cast<double>(m_noise.size()) / (ms * 1e-3);
    if (problem.variant == UpVariant::NoBarrier) {
        entry.note = "wrong on purpose: no thread waits for the samples of others";
    } else {
        entry.deviation = upDeviation(
            problem, m_noise, codes ? valuesOnHost(exec, m_out) : onHost(exec, m_out), codes);
        entry.allowed = kAllowedOfUp;
    }
    if (problem.variant == UpVariant::NoLoads)
        entry.note = "wrong on purpose: every sample is taken as 0.5";
    const std::size_t read = problem.variant == UpVariant::NoLoads ? 0 : m_in.bytes();
    const std::size_t written = codes ? m_out.bytes() / 2 : m_out.bytes();
    entry.gigabytesPerS = static_cast<double>(read + written) / ms / 1e6;
    return entry;
}

void benchFourTimesUp(const DocumentBench& bench) {
    const UpNoise noise(bench);
    const auto take = [&](std::string name, const UpProblem& problem,
                          std::optional<double> cycles) {
        DocumentEntry entry = noise.measure(kUpParts, std::move(name), problem, false);
        if (cycles) entry.published = kSamplesOfThread * kCyclesPerS / *cycles;
        bench.take(entry);
    };
    take("11 taps", {}, 135.0);
    take("11 taps, without synchronization", {.variant = UpVariant::NoBarrier}, 134.0);
    take("11 taps, without loads", {.variant = UpVariant::NoLoads}, 116.0);
    // Of other blocks the document says that they differ by less than a cycle.
    for (const int block : {96, 128, 384})
        take(fmt::format("11 taps, block of {}", block), {.block = block}, std::nullopt);
    for (const auto& [taps, cycles] : {std::pair{22, 234.0}, {31, 316.0}, {50, 516.0}})
        take(fmt::format("{} taps", taps), {.taps = taps}, cycles);
}

} // namespace echolux
