// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel, two samples for each thread through shared memory, and the CPU's functor.
#include "gpu/ladder/four_times_up.hpp"

#include "gpu/core/unroll.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/ladder/scan_lines.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace echolux::ladder {
namespace {

constexpr int kPhases = 3;

template <int kTaps> struct UpTaps {
    float tap[kPhases][kTaps] = {};
};

struct alignas(4 * sizeof(float)) FourSamples {
    float phase[4];
};

struct alignas(4 * sizeof(std::int16_t)) FourCodes {
    std::int16_t phase[4];
};

/// Stores what became of sample `i`.
struct ToFloats {
    FourSamples* out;
    ECHOLUX_HD void store(std::int64_t i, const FourSamples& four) const { out[i] = four; }
};

struct ToCodes {
    FourCodes* out;
    ECHOLUX_HD void store(std::int64_t i, const FourSamples& four) const {
        FourCodes codes{};
        for (int p = 0; p < 4; ++p) {
            const float within = std::fmin(std::fmax(four.phase[p], -1.0F), 1.0F);
            codes.phase[p] = static_cast<std::int16_t>(std::floor(within * kCodePeak + 0.5F));
        }
        out[i] = codes;
    }
};

/// Sample `at` of a line and the outputs of the filters behind it.
template <int kTaps, UpVariant kVariant, class Output> struct UpSample {
    const std::int16_t* codes;
    Output output;
    std::int32_t samples;
    UpTaps<kTaps> taps;

    /// `value(offset)` is the sample that lies `offset` after the own one.
    template <class Value> ECHOLUX_HD void filter(std::int64_t i, const Value& value) const {
        FourSamples four{{value(0), 0.0F, 0.0F, 0.0F}};
        ECHOLUX_UNROLL
        for (int j = 0; j < kTaps; ++j) {
            const float x = value(j - kTaps / 2);
            ECHOLUX_UNROLL
            for (int p = 0; p < kPhases; ++p) four.phase[p + 1] += taps.tap[p][j] * x;
        }
        output.store(i, four);
    }

    ECHOLUX_HD void operator()(std::int64_t i) const {
        filter(i, InMemory{codes + i, static_cast<std::int32_t>(i % samples), samples});
    }

    struct InMemory {
        const std::int16_t* own;
        std::int32_t at;
        std::int32_t samples;
        ECHOLUX_HD float operator()(int offset) const {
            if (kVariant == UpVariant::NoLoads) return kUnloaded;
            const std::int32_t n = at + offset;
            return n < 0 || n >= samples ? 0.0F : static_cast<float>(own[offset]) / kCodePeak;
        }
    };
};

#if defined(__CUDACC__)
/// Two codes, as a thread loads them.
struct alignas(2 * sizeof(std::int16_t)) CodePair {
    std::int16_t code[2];
};

/// Samples that a block holds, seen from one of them.
struct InBlock {
    const float* own;
    __device__ float operator()(int offset) const { return own[offset]; }
};

/// Samples held before the first one of a block, and behind its last one: an even number, so that
/// pairs stay pairs.
template <int kTaps> constexpr int kBeside = (kTaps / 2 + 1) / 2 * 2;

template <int kTaps, UpVariant kVariant, class Output>
__global__ void __launch_bounds__(kMostUpThreads)
    upKernel(UpSample<kTaps, kVariant, Output> k, std::int32_t blocksPerLine) {
    extern __shared__ float heldSamples[];
    const auto threads = static_cast<int>(blockDim.x);
    const auto thread = static_cast<int>(threadIdx.x);
    const std::int64_t line = blockIdx.x / blocksPerLine;
    const auto first = static_cast<std::int32_t>(blockIdx.x % blocksPerLine) * 2 * threads;
    const std::int16_t* x = k.codes + line * k.samples;
    const int held = 2 * threads + 2 * kBeside<kTaps>;
    for (int i = 2 * thread; i < held; i += 2 * threads) {
        if constexpr (kVariant == UpVariant::NoLoads) {
            heldSamples[i] = heldSamples[i + 1] = kUnloaded;
        } else {
            // Both of the pair are inside or neither: all numbers here are even.
            const std::int32_t n = first - kBeside<kTaps> + i;
            const bool inside = n >= 0 && n < k.samples;
            const CodePair pair =
                inside ? *reinterpret_cast<const CodePair*>(x + n) : CodePair{{0, 0}};
            heldSamples[i] = static_cast<float>(pair.code[0]) / kCodePeak;
            heldSamples[i + 1] = static_cast<float>(pair.code[1]) / kCodePeak;
        }
    }
    if constexpr (kVariant != UpVariant::NoBarrier) __syncthreads();
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int at = thread + half * threads;
        if (first + at >= k.samples) continue;
        k.filter(line * k.samples + first + at, InBlock{heldSamples + kBeside<kTaps> + at});
    }
}
#endif

template <int kTaps, UpVariant kVariant, class Output>
void up(const Exec& exec, const UpProblem& problem, const std::int16_t* codes, Output output) {
    UpSample<kTaps, kVariant, Output> k{codes, output, problem.samples, {}};
    for (int p = 0; p < kPhases; ++p)
        for (int j = 0; j < kTaps; ++j)
            k.taps.tap[p][j] = static_cast<float>(upTap(kTaps, p + 1, j));
#if defined(__CUDACC__)
    if (exec.backend == Backend::Cuda) {
        const int samples = 2 * problem.block;
        const int perLine = (problem.samples + samples - 1) / samples;
        const auto bytes = static_cast<std::size_t>(samples + 2 * kBeside<kTaps>) * sizeof(float);
        upKernel<<<static_cast<unsigned>(problem.lines * perLine),
                   static_cast<unsigned>(problem.block), bytes,
                   static_cast<cudaStream_t>(exec.stream)>>>(k, perLine);
        device::checkLaunch("ladder 4xUP");
        return;
    }
#endif
    forEach(exec, "ladder 4xUP", problem.lines * problem.samples, k);
}

void check(const UpProblem& problem) {
    if (problem.samples % 2 != 0) throw std::logic_error("ladder: 4xUP takes pairs of samples");
    if (problem.block < 32 || problem.block > kMostUpThreads || problem.block % 32 != 0)
        throw std::logic_error("ladder: a block of 4xUP has 32, 64 ... 512 threads");
}

template <class Output>
void upWhole(const Exec& exec, const UpProblem& problem, const std::int16_t* codes, Output output) {
    constexpr auto kWhole = UpVariant::Whole;
    switch (problem.taps) {
    case 7: return up<7, kWhole>(exec, problem, codes, output);
    case 11: return up<11, kWhole>(exec, problem, codes, output);
    case 15: return up<15, kWhole>(exec, problem, codes, output);
    case 22: return up<22, kWhole>(exec, problem, codes, output);
    case 31: return up<31, kWhole>(exec, problem, codes, output);
    case 50: return up<50, kWhole>(exec, problem, codes, output);
    default: throw std::logic_error("ladder: 4xUP has 7, 11, 15, 22, 31 or 50 taps");
    }
}

} // namespace

double upTap(int taps, int p, int j) {
    const double x = std::numbers::pi * (j - taps / 2 - 0.25 * p);
    return x == 0.0 ? 1.0 : std::sin(x) / x;
}

void fourTimesUp(const Exec& exec, const UpProblem& problem, const std::int16_t* codes,
                 float* out) {
    check(problem);
    const ToFloats output{reinterpret_cast<FourSamples*>(out)};
    if (problem.variant == UpVariant::Whole) return upWhole(exec, problem, codes, output);
    if (problem.taps != 11) throw std::logic_error("ladder: a part of 4xUP has 11 taps");
    if (problem.variant == UpVariant::NoBarrier)
        return up<11, UpVariant::NoBarrier>(exec, problem, codes, output);
    up<11, UpVariant::NoLoads>(exec, problem, codes, output);
}

void fourTimesUp(const Exec& exec, const UpProblem& problem, const std::int16_t* codes,
                 std::int16_t* out) {
    check(problem);
    if (problem.variant != UpVariant::Whole)
        throw std::logic_error("ladder: a part of 4xUP has floats as output");
    upWhole(exec, problem, codes, ToCodes{reinterpret_cast<FourCodes*>(out)});
}

} // namespace echolux::ladder
