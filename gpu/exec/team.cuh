// SPDX-License-Identifier: GPL-3.0-or-later
// Teams of threads on CUDA; see team.hpp.
#pragma once

#include "gpu/exec/team.hpp"
#include "gpu/exec/together.hpp"

#include <algorithm>
#include <cooperative_groups.h>

namespace echolux {

__device__ inline float warpSum(float value) {
    for (int half = 16; half > 0; half /= 2) value += __shfl_xor_sync(0xffffffffU, value, half);
    return value;
}

/// Each thread sums its own items; then the sums of the warp's threads are added.
template <int kCount, class F>
__device__ Several<kCount> warpSums(int first, int step, int count, const F& value) {
    Several<kCount> own;
    for (int i = first; i < count; i += step) {
        const Several<kCount> one = value(i);
        for (int n = 0; n < kCount; ++n) own.of[n] += one.of[n];
    }
    for (int n = 0; n < kCount; ++n) own.of[n] = warpSum(own.of[n]);
    return own;
}

/// A team: the threads of one block of kWidth, a multiple of 32.
template <int kWidth> struct BlockOf {
    static constexpr int kThreads = kWidth;
    float* partials; ///< shared memory, 32 * kMostAtOnce values

    template <class F> __device__ void each(int count, const F& functor) const {
        for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) functor(i);
        __syncthreads();
    }
    template <int kLanes, class F> __device__ void eachByLanes(int count, const F& functor) const {
        const auto thread = static_cast<int>(threadIdx.x);
        for (int i = thread / kLanes; i < count; i += kThreads / kLanes)
            functor(i, Lanes<kLanes>{thread % kLanes});
        __syncthreads();
    }
    template <class F> __device__ float sum(int count, const F& value) const {
        return sums<1>(count, [&](int i) { return Several<1>{{value(i)}}; }).of[0];
    }
    template <int kCount, class F>
    __device__ Several<kCount> sums(int count, const F& value) const {
        const Several<kCount> own =
            warpSums<kCount>(static_cast<int>(threadIdx.x), kThreads, count, value);
        const auto lane = static_cast<int>(threadIdx.x % 32);
        Several<kCount> all;
        for (int n = 0; n < kCount; ++n)
            if (lane == 0) partials[n * 32 + static_cast<int>(threadIdx.x / 32)] = own.of[n];
        __syncthreads();
        for (int n = 0; n < kCount; ++n)
            all.of[n] = warpSum(lane < kThreads / 32 ? partials[n * 32 + lane] : 0.0F);
        __syncthreads();
        return all;
    }
};
using Block = BlockOf<1024>;

/// A team: the threads of several blocks of kThreads that run at once and wait for each other.
struct Grid {
    static constexpr int kThreads = 512;
    static constexpr int kWarps = kThreads / 32;
    float* partials; ///< compute memory, kTeamPartials values
    float* warps;    ///< shared memory, kMostAtOnce values per warp of the block
    int* turn; ///< which half of `partials` is used next; there are two, because a sum may begin
               ///< before all threads have read the previous one

    template <class F> __device__ void each(int count, const F& functor) const {
        for (int i = thread(); i < count; i += threads()) functor(i);
        cooperative_groups::this_grid().sync();
    }
    template <int kLanes, class F> __device__ void eachByLanes(int count, const F& functor) const {
        for (int i = thread() / kLanes; i < count; i += threads() / kLanes)
            functor(i, Lanes<kLanes>{thread() % kLanes});
        cooperative_groups::this_grid().sync();
    }
    template <class F> __device__ float sum(int count, const F& value) const {
        return sums<1>(count, [&](int i) { return Several<1>{{value(i)}}; }).of[0];
    }
    template <int kCount, class F>
    __device__ Several<kCount> sums(int count, const F& value) const {
        const Several<kCount> own = warpSums<kCount>(thread(), threads(), count, value);
        const auto lane = static_cast<int>(threadIdx.x % 32);
        const auto warp = static_cast<int>(threadIdx.x / 32);
        for (int n = 0; n < kCount; ++n)
            if (lane == 0) warps[n * kWarps + warp] = own.of[n];
        __syncthreads();
        float* here = partials + *turn * kMostTeamBlocks * kMostAtOnce;
        *turn = 1 - *turn;
        if (warp < kCount) {
            const float block = warpSum(lane < kWarps ? warps[warp * kWarps + lane] : 0.0F);
            if (lane == 0) here[warp * kMostTeamBlocks + static_cast<int>(blockIdx.x)] = block;
        }
        cooperative_groups::this_grid().sync();
        Several<kCount> all;
        for (int n = 0; n < kCount; ++n) {
            for (int b = lane; b < static_cast<int>(gridDim.x); b += 32)
                all.of[n] += here[n * kMostTeamBlocks + b];
            all.of[n] = warpSum(all.of[n]);
        }
        return all;
    }

private:
    static __device__ int thread() {
        return static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
    }
    static __device__ int threads() { return static_cast<int>(gridDim.x) * kThreads; }
};

template <class F> __global__ void __launch_bounds__(Grid::kThreads)
    wideTeamKernel(F functor, float* partials) {
    __shared__ float warps[Grid::kWarps * kMostAtOnce];
    int turn = 0;
    functor(Grid{partials, warps, &turn});
}

template <class F> __global__ void __launch_bounds__(Block::kThreads) teamKernel(F functor) {
    __shared__ float partials[32 * kMostAtOnce];
    functor(Block{partials});
}

/// One team per block of the grid.
template <int kThreads, class F> __global__ void __launch_bounds__(kThreads)
    teamsKernel(F functor) {
    __shared__ float partials[32 * kMostAtOnce];
    functor(BlockOf<kThreads>{partials}, static_cast<std::int64_t>(blockIdx.x));
}

template <class F> void launchWideTeam(const Exec& exec, const char* name, std::int64_t items,
                                       float* partials, const F& functor) {
    const auto* kernel = reinterpret_cast<const void*>(&wideTeamKernel<F>);
    const int most = std::min(device::blocksAtOnce(kernel, Grid::kThreads), kMostTeamBlocks);
    const std::int64_t wanted = (items + Grid::kThreads - 1) / Grid::kThreads;
    const auto blocks = static_cast<int>(std::min<std::int64_t>(wanted, most));
    F copy = functor;
    void* arguments[] = {&copy, &partials};
    device::launchTogether(kernel, std::max(blocks, 1), Grid::kThreads, arguments, exec.stream);
    device::checkLaunch(name);
}

} // namespace echolux
