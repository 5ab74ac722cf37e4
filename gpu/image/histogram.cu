// SPDX-License-Identifier: GPL-3.0-or-later
// Counting: each block of the GPU, and each part of the host's loop, has bins of its own, which it
// adds to the result at its end.
#include "gpu/image/histogram.hpp"

#include "gpu/core/portable.hpp"
#include "gpu/exec/host_loop.hpp"
#include "gpu/memory/transfer.hpp"

#include <cfloat>
#include <mutex>
#include <stdexcept>

namespace echolux {
namespace {

/// The kind that a value counts as, see HistogramCounts. Every comparison with NaN is false.
struct KindOfValue {
    HistogramScale scale;
    float binsPerUnit;

    explicit KindOfValue(const HistogramScale& of)
        : scale(of), binsPerUnit(static_cast<float>(kHistogramBins) / (of.to - of.from)) {}

    ECHOLUX_HD int operator()(float value) const {
        if (!(value > scale.nothing && value <= FLT_MAX)) return HistogramCounts::kNothing;
        if (value < scale.from) return HistogramCounts::kBelow;
        if (value >= scale.to) return HistogramCounts::kAbove;
        const int bin = static_cast<int>((value - scale.from) * binsPerUnit);
        return bin < kHistogramBins ? bin : kHistogramBins - 1;
    }
};

#if defined(__CUDACC__)
__global__ void countValuesKernel(const float* values, std::int64_t count, KindOfValue kindOf,
                                  HistogramCounts* counts) {
    __shared__ std::uint32_t own[HistogramCounts::kKinds];
    for (unsigned kind = threadIdx.x; kind < HistogramCounts::kKinds; kind += blockDim.x)
        own[kind] = 0;
    __syncthreads();
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         i < count; i += step)
        atomicAdd(&own[kindOf(values[i])], 1U);
    __syncthreads();
    for (unsigned kind = threadIdx.x; kind < HistogramCounts::kKinds; kind += blockDim.x)
        if (own[kind] != 0) atomicAdd(&counts->of[kind], own[kind]);
}
#endif

void countOnHost(const float* values, std::int64_t count, const KindOfValue& kindOf,
                 HistogramCounts& counts) {
    constexpr std::int64_t kGrain = 16384;
    std::mutex adding;
    host::eachPart(count, kGrain, [&](std::int64_t begin, std::int64_t end) {
        HistogramCounts own;
        for (std::int64_t i = begin; i != end; ++i) ++own.of[kindOf(values[i])];
        const std::lock_guard lock(adding);
        for (int kind = 0; kind < HistogramCounts::kKinds; ++kind) counts.of[kind] += own.of[kind];
    });
}

} // namespace

void countValues(const Exec& exec, const char* name, const float* values, std::int64_t count,
                 const HistogramScale& scale, HistogramCounts* counts) {
    const KindOfValue kindOf(scale);
    fillBytes(exec, counts, 0, sizeof(HistogramCounts));
    if (count <= 0) return;
    if (exec.backend == Backend::Cuda) {
#if defined(__CUDACC__)
        constexpr std::int64_t kThreads = 256;
        constexpr std::int64_t kMostBlocks = 256;
        const std::int64_t needed = (count + kThreads - 1) / kThreads;
        const auto blocks = static_cast<unsigned>(needed < kMostBlocks ? needed : kMostBlocks);
        countValuesKernel<<<blocks, kThreads, 0, static_cast<cudaStream_t>(exec.stream)>>>(
            values, count, kindOf, counts);
        device::checkLaunch(name);
        return;
#else
        throw std::logic_error("countValues: CUDA backend in a file compiled without nvcc");
#endif
    }
    countOnHost(values, count, kindOf, *counts);
    (void)name;
}

} // namespace echolux
