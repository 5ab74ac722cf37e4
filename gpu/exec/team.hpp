// SPDX-License-Identifier: GPL-3.0-or-later
// Work of many small steps, each of which needs all of the one before: a team takes them together,
// on CUDA the threads of one block, on the host one thread. Include it only from .cu files, which
// also compile as plain C++.
#pragma once

#include "gpu/core/portable.hpp"
#include "gpu/exec/exec.hpp"

#include <stdexcept>

namespace echolux {

/// The team of one.
struct OneThread {
    template <class F> ECHOLUX_HD void each(int count, const F& functor) const {
        for (int i = 0; i < count; ++i) functor(i);
    }
    template <class F> ECHOLUX_HD float sum(int count, const F& value) const {
        double all = 0.0;
        for (int i = 0; i < count; ++i) all += static_cast<double>(value(i));
        return static_cast<float>(all);
    }
};

#if defined(__CUDACC__)
/// The threads of a block of kThreads. Every thread makes the same calls in the same order.
struct Block {
    static constexpr int kThreads = 1024;
    float* partials; ///< shared, 32 of them

    /// functor(i) for 0 <= i < count; all of them are done when it returns.
    template <class F> __device__ void each(int count, const F& functor) const {
        for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) functor(i);
        __syncthreads();
    }
    /// All threads get it.
    template <class F> __device__ float sum(int count, const F& value) const {
        float own = 0.0F;
        for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) own += value(i);
        for (int half = 16; half > 0; half /= 2) own += __shfl_xor_sync(0xffffffffU, own, half);
        if (threadIdx.x % 32 == 0) partials[threadIdx.x / 32] = own;
        __syncthreads();
        float all = partials[threadIdx.x % 32];
        for (int half = 16; half > 0; half /= 2) all += __shfl_xor_sync(0xffffffffU, all, half);
        __syncthreads();
        return all;
    }
};

template <class F> __global__ void __launch_bounds__(Block::kThreads) teamKernel(F functor) {
    __shared__ float partials[32];
    functor(Block{partials});
}
#endif

/// Calls functor(team) once per team member.
template <class F> void asTeam(const Exec& exec, const char* name, const F& functor) {
    if (exec.backend == Backend::Cuda) {
#if defined(__CUDACC__)
        teamKernel<<<1, Block::kThreads, 0, static_cast<cudaStream_t>(exec.stream)>>>(functor);
        device::checkLaunch(name);
        return;
#else
        throw std::logic_error("asTeam: CUDA backend in a file compiled without nvcc");
#endif
    }
    functor(OneThread{});
    (void)name;
}

} // namespace echolux
