// SPDX-License-Identifier: GPL-3.0-or-later
// Tier B reduction: map(0) o map(1) o ... o map(count - 1) for an associative and commutative o,
// written to compute memory without a copy to the host. Include it only from .cu files, which also
// compile as plain C++.
#pragma once

#include "gpu/core/portable.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/exec/host_loop.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace echolux {

/// Number of partial results of the first pass; reduce() needs scratch memory for them.
constexpr int kReducePartials = 256;

#if defined(__CUDACC__)
/// Each block reduces its share of 0..count - 1 to out[block].
template <class T, class Map, class Combine>
__global__ void reduceKernel(std::int64_t count, Map map, Combine combine, T identity, T* out) {
    constexpr int kThreads = kReducePartials;
    __shared__ T shared[kThreads];
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * kThreads;
    T sum = identity;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < count;
         i += step) {
        sum = combine(sum, map(i));
    }
    shared[threadIdx.x] = sum;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = shared[0];
}

template <class T> struct ReadPartial {
    const T* partials;
    __device__ T operator()(std::int64_t i) const { return partials[i]; }
};
#endif

/// *result = fold of map(i), 0 <= i < count; `identity` where count is 0. `result` and `partials`
/// (kReducePartials values) lie in compute memory. The order of a floating-point sum differs
/// between backends, but is the same in every run.
template <class T, class Map, class Combine>
void reduce(const Exec& exec, const char* name, std::int64_t count, const Map& map,
            const Combine& combine, T identity, T* partials, T* result) {
    if (exec.backend == Backend::Cuda) {
#if defined(__CUDACC__)
        const auto stream = static_cast<cudaStream_t>(exec.stream);
        reduceKernel<<<kReducePartials, kReducePartials, 0, stream>>>(count, map, combine, identity,
                                                                      partials);
        reduceKernel<<<1, kReducePartials, 0, stream>>>(kReducePartials, ReadPartial<T>{partials},
                                                        combine, identity, result);
        device::checkLaunch(name);
        return;
#else
        throw std::logic_error("reduce: CUDA backend in a file compiled without nvcc");
#endif
    }
    constexpr std::int64_t kGrain = 4096;
    *result = host::foldInParts(
        count > 0 ? count : 0, kGrain, identity,
        [&](std::int64_t begin, std::int64_t end, T sum) {
            for (std::int64_t i = begin; i != end; ++i) sum = combine(sum, map(i));
            return sum;
        },
        combine);
    (void)name;
    (void)partials;
}

} // namespace echolux
