// SPDX-License-Identifier: GPL-3.0-or-later
// Each filter is a functor of the samples beside an output. With shared memory a block fetches a
// piece of a line; its first and last warp fetch the samples beside the piece and compute nothing.
#include "gpu/ladder/line_filters.hpp"

#include "gpu/exec/for_each.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace echolux::ladder {
namespace {

constexpr int kHalo = 32; ///< a warp; no filter reaches farther
constexpr int kLineThreads = 256;
constexpr int kOutputs = kLineThreads - 2 * kHalo; ///< of a block

/// Samples of a line in memory; 0 outside.
struct LineSamples {
    const float* line;
    std::int64_t samples;
    std::int64_t n;
    ECHOLUX_HD float operator()(int offset) const {
        const std::int64_t at = n + offset;
        return at >= 0 && at < samples ? line[at] : 0.0F;
    }
};

struct ForwardPass {
    float taps[kMostFilterTaps];
    int count;
    template <class At> ECHOLUX_HD float value(const At& at) const {
        float sum = 0.0F;
        for (int k = 0; k < count; ++k) sum += taps[k] * at(-k);
        return sum;
    }
    static ECHOLUX_HD std::int64_t target(std::int64_t n, std::int64_t samples) {
        return samples - 1 - n;
    }
};

struct Envelope {
    int window;
    template <class At> ECHOLUX_HD float value(const At& at) const {
        constexpr float kTwoOverPi = 2.0F / std::numbers::pi_v<float>;
        float sum = 0.0F;
        for (int m = 1; m <= window; m += 2) sum += (at(m) - at(-m)) / static_cast<float>(m);
        const float x = at(0);
        const float h = kTwoOverPi * sum;
        return sqrtf(x * x + h * h);
    }
    static ECHOLUX_HD std::int64_t target(std::int64_t n, std::int64_t) { return n; }
};

template <class Filter> struct OneSample {
    Filter filter;
    std::int64_t samples;
    const float* in;
    float* out;
    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t n) const {
        const std::int64_t first = line * samples;
        out[first + Filter::target(n, samples)] = filter.value(LineSamples{in + first, samples, n});
    }
};

#if defined(__CUDACC__)
/// Samples that a block has fetched, seen from one of its threads.
struct FetchedSamples {
    const float* own;
    ECHOLUX_HD float operator()(int offset) const { return own[offset]; }
};

template <class Filter>
__global__ void pieceKernel(Filter filter, std::int64_t samples, const float* in, float* out) {
    __shared__ float fetched[kLineThreads];
    const auto thread = static_cast<int>(threadIdx.x);
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * samples;
    const std::int64_t n = static_cast<std::int64_t>(blockIdx.x) * kOutputs + thread - kHalo;
    fetched[thread] = n >= 0 && n < samples ? in[first + n] : 0.0F;
    __syncthreads();
    if (thread < kHalo || thread >= kLineThreads - kHalo || n >= samples) return;
    out[first + Filter::target(n, samples)] = filter.value(FetchedSamples{fetched + thread});
}
#endif

template <class Filter> void filterLines(const Exec& exec, LineMemory memory, const char* name,
                                         const Filter& filter, std::int64_t lines,
                                         std::int64_t samples, const float* in, float* out) {
#if defined(__CUDACC__)
    if (exec.backend == Backend::Cuda && memory == LineMemory::Shared) {
        const dim3 blocks(static_cast<unsigned>((samples + kOutputs - 1) / kOutputs),
                          static_cast<unsigned>(lines));
        pieceKernel<<<blocks, kLineThreads, 0, static_cast<cudaStream_t>(exec.stream)>>>(
            filter, samples, in, out);
        device::checkLaunch(name);
        return;
    }
#endif
    (void)memory;
    forEachInLines(exec, name, lines, samples, OneSample<Filter>{filter, samples, in, out});
}

} // namespace

void filterBothWays(const Exec& exec, LineMemory memory, std::span<const float> taps,
                    std::int64_t lines, std::int64_t samples, const float* in, float* between,
                    float* out) {
    if (taps.size() > kMostFilterTaps) throw std::logic_error("ladder: too many taps");
    ForwardPass pass{};
    for (const float tap : taps) pass.taps[pass.count++] = tap;
    filterLines(exec, memory, "ladder band-pass", pass, lines, samples, in, between);
    filterLines(exec, memory, "ladder band-pass", pass, lines, samples, between, out);
}

void hilbertEnvelope(const Exec& exec, LineMemory memory, int window, std::int64_t lines,
                     std::int64_t samples, const float* in, float* out) {
    if (window > kMostHilbertWindow) throw std::logic_error("ladder: the window is too long");
    filterLines(exec, memory, "ladder envelope", Envelope{window}, lines, samples, in, out);
}

} // namespace echolux::ladder
