// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel, two samples for each thread through shared memory, and the CPU's functor.
#include "gpu/ladder/four_times_up.hpp"

#include "gpu/exec/for_each.hpp"
#include "gpu/ladder/scan_lines.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace echolux::ladder {
namespace {

constexpr int kPhases = 3;

struct UpTaps {
    float tap[kPhases][kMostUpTaps] = {};
};

struct alignas(4 * sizeof(float)) FourSamples {
    float phase[4];
};

/// Sample `at` of a line and the outputs of the filters behind it.
template <int kTaps> struct UpSample {
    const std::int16_t* codes;
    FourSamples* out;
    std::int32_t samples;
    UpTaps taps;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t line = i / samples;
        const auto at = static_cast<std::int32_t>(i % samples);
        const std::int16_t* x = codes + line * samples;
        FourSamples four{{static_cast<float>(x[at]) / kCodePeak, 0.0F, 0.0F, 0.0F}};
        for (int j = 0; j < kTaps; ++j) {
            const std::int32_t n = at + j - (kTaps - 1) / 2;
            if (n < 0 || n >= samples) continue;
            const float value = static_cast<float>(x[n]) / kCodePeak;
            for (int p = 0; p < kPhases; ++p) four.phase[p + 1] += taps.tap[p][j] * value;
        }
        out[i] = four;
    }
};

#if defined(__CUDACC__)
constexpr int kUpThreads = 256;
constexpr int kBlockSamples = 2 * kUpThreads;

/// Two codes, as a thread loads them.
struct alignas(2 * sizeof(std::int16_t)) CodePair {
    std::int16_t code[2];
};

template <int kTaps> __global__ void __launch_bounds__(kUpThreads)
    upKernel(UpSample<kTaps> k, std::int32_t blocksPerLine) {
    // An even number of samples before the block's first one, so that pairs stay pairs.
    constexpr int kBefore = ((kTaps - 1) / 2 + 1) / 2 * 2;
    constexpr int kHeld = kBlockSamples + 2 * kBefore;
    __shared__ float shared[kHeld];
    const auto thread = static_cast<int>(threadIdx.x);
    const std::int64_t line = blockIdx.x / blocksPerLine;
    const auto first = static_cast<std::int32_t>(blockIdx.x % blocksPerLine) * kBlockSamples;
    const std::int16_t* x = k.codes + line * k.samples;
    for (int i = 2 * thread; i < kHeld; i += kBlockSamples) {
        const std::int32_t n = first - kBefore + i;
        const bool inside = n >= 0 && n < k.samples; // both of the pair or neither: all numbers
                                                     // here are even
        const CodePair pair = inside ? *reinterpret_cast<const CodePair*>(x + n) : CodePair{{0, 0}};
        shared[i] = static_cast<float>(pair.code[0]) / kCodePeak;
        shared[i + 1] = static_cast<float>(pair.code[1]) / kCodePeak;
    }
    __syncthreads();
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int at = thread + half * kUpThreads;
        if (first + at >= k.samples) continue;
        const float* centre = shared + kBefore + at;
        FourSamples four{{*centre, 0.0F, 0.0F, 0.0F}};
#pragma unroll
        for (int j = 0; j < kTaps; ++j) {
            const float value = centre[j - (kTaps - 1) / 2];
#pragma unroll
            for (int p = 0; p < kPhases; ++p) four.phase[p + 1] += k.taps.tap[p][j] * value;
        }
        k.out[line * k.samples + first + at] = four;
    }
}
#endif

template <int kTaps> void up(const Exec& exec, std::int64_t lines, std::int32_t samples,
                             const std::int16_t* codes, float* out) {
    UpSample<kTaps> k{codes, reinterpret_cast<FourSamples*>(out), samples, {}};
    for (int p = 0; p < kPhases; ++p)
        for (int j = 0; j < kTaps; ++j)
            k.taps.tap[p][j] = static_cast<float>(upTap(kTaps, p + 1, j));
#if defined(__CUDACC__)
    if (exec.backend == Backend::Cuda) {
        const int perLine = (samples + kBlockSamples - 1) / kBlockSamples;
        upKernel<kTaps><<<static_cast<unsigned>(lines * perLine), kUpThreads, 0,
                          static_cast<cudaStream_t>(exec.stream)>>>(k, perLine);
        device::checkLaunch("ladder 4xUP");
        return;
    }
#endif
    forEach(exec, "ladder 4xUP", lines * samples, k);
}

} // namespace

double upTap(int taps, int p, int j) {
    const double x = std::numbers::pi * (j - 0.5 * (taps - 1) - 0.25 * p);
    return x == 0.0 ? 1.0 : std::sin(x) / x;
}

void fourTimesUp(const Exec& exec, int taps, std::int64_t lines, std::int32_t samples,
                 const std::int16_t* codes, float* out) {
    if (samples % 2 != 0) throw std::logic_error("ladder: 4xUP takes pairs of samples");
    switch (taps) {
    case 7: return up<7>(exec, lines, samples, codes, out);
    case 11: return up<11>(exec, lines, samples, codes, out);
    case 15: return up<15>(exec, lines, samples, codes, out);
    default: throw std::logic_error("ladder: 4xUP has 7, 11 or 15 taps");
    }
}

} // namespace echolux::ladder
