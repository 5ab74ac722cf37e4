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

/// The threads of a block of kThreads.
struct Block {
    static constexpr int kThreads = 1024;
    float* partials; ///< shared, 32 of them

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
        float own = 0.0F;
        for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) own += value(i);
        own = warpSum(own);
        if (threadIdx.x % 32 == 0) partials[threadIdx.x / 32] = own;
        __syncthreads();
        const float all = warpSum(partials[threadIdx.x % 32]);
        __syncthreads();
        return all;
    }
};

/// The threads of blocks of kThreads that run at once and wait for each other.
struct Grid {
    static constexpr int kThreads = 512;
    float* partials; ///< compute memory, kTeamPartials of them
    float* warps;    ///< shared, one per warp of the block
    int* turn; ///< of two halves of `partials`, since a sum may begin before all read the last

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
        float own = 0.0F;
        for (int i = thread(); i < count; i += threads()) own += value(i);
        own = warpSum(own);
        const auto lane = static_cast<int>(threadIdx.x % 32);
        if (lane == 0) warps[threadIdx.x / 32] = own;
        __syncthreads();
        float* here = partials + *turn * kMostTeamBlocks;
        *turn = 1 - *turn;
        if (threadIdx.x < 32) {
            const float block = warpSum(lane < kThreads / 32 ? warps[lane] : 0.0F);
            if (lane == 0) here[blockIdx.x] = block;
        }
        cooperative_groups::this_grid().sync();
        float all = 0.0F;
        for (int b = lane; b < static_cast<int>(gridDim.x); b += 32) all += here[b];
        return warpSum(all);
    }

private:
    static __device__ int thread() {
        return static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
    }
    static __device__ int threads() { return static_cast<int>(gridDim.x) * kThreads; }
};

template <class F> __global__ void __launch_bounds__(Grid::kThreads)
    wideTeamKernel(F functor, float* partials) {
    __shared__ float warps[Grid::kThreads / 32];
    int turn = 0;
    functor(Grid{partials, warps, &turn});
}

template <class F> __global__ void __launch_bounds__(Block::kThreads) teamKernel(F functor) {
    __shared__ float partials[32];
    functor(Block{partials});
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
