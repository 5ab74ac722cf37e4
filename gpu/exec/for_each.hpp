// SPDX-License-Identifier: GPL-3.0-or-later
// Tier A: one functor, "output sample at index", run as a parallel loop or as a generic CUDA
// kernel. Functors take a std::int64_t index, return nothing and are marked ECHOLUX_HD; they hold
// views and constants by value. Include it only from .cu files, which also compile as plain C++.
#pragma once

#include "gpu/core/portable.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/exec/host_loop.hpp"

#include <cstdint>
#include <stdexcept>

namespace echolux {

#if defined(__CUDACC__)
template <class F> __global__ void forEachKernel(std::int64_t count, F functor) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) functor(i);
}
#endif

/// Calls functor(i) for 0 <= i < count, in any order. `name` is the stage, for error messages.
template <class F>
void forEach(const Exec& exec, const char* name, std::int64_t count, const F& functor) {
    if (count <= 0) return;
    if (exec.backend == Backend::Cuda) {
#if defined(__CUDACC__)
        constexpr int kThreads = 256;
        const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
        forEachKernel<<<blocks, kThreads, 0, static_cast<cudaStream_t>(exec.stream)>>>(count,
                                                                                       functor);
        device::checkLaunch(name);
        return;
#else
        throw std::logic_error("forEach: CUDA backend in a file compiled without nvcc");
#endif
    }
    host::eachIndex(count, functor);
    (void)name;
}

/// Calls a functor of (line, n) for one element.
template <class F> struct ElementOfLine {
    F functor;
    std::int64_t length;
    ECHOLUX_HD void operator()(std::int64_t i) const { functor(i / length, i % length); }
};

/// Calls a functor of (line, n) for all elements of one line, without a division for each.
template <class F> struct WholeLine {
    F functor;
    std::int64_t length;
    ECHOLUX_HD void operator()(std::int64_t line) const {
        for (std::int64_t n = 0; n < length; ++n) functor(line, n);
    }
};

/// Calls functor(line, n) for 0 <= line < lines, 0 <= n < length, in any order. A thread of the CPU
/// handles whole lines, a thread of the GPU one element.
template <class F> void forEachInLines(const Exec& exec, const char* name, std::int64_t lines,
                                       std::int64_t length, const F& functor) {
    if (exec.backend == Backend::Cuda)
        return forEach(exec, name, lines * length, ElementOfLine<F>{functor, length});
    forEach(exec, name, lines, WholeLine<F>{functor, length});
}

/// One of the lanes that share an item. There are `step` lanes, a power of two. `own` is the number
/// of this lane. It handles every step-th place, see startAt().
template <int kStep> struct Lanes {
    static constexpr std::int64_t step = kStep;
    std::int64_t own;

    /// The lane's own first place at or after `from`, which may be negative. A place always has the
    /// same owner, so no two lanes add to the same place.
    ECHOLUX_HD std::int64_t startAt(std::int64_t from) const {
        return from + ((own - from) & (step - 1));
    }
};

#if defined(__CUDACC__)
template <class F> __global__ void forEachByLanesKernel(std::int64_t count, F functor) {
    constexpr int kWarp = 32;
    const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (thread / kWarp < count) functor(thread / kWarp, Lanes<kWarp>{thread % kWarp});
}
#endif

/// Calls functor(i, lanes) for 0 <= i < count, in any order, for items that are long loops over
/// places. On CUDA the lanes of a warp share an item; on the CPU one thread handles all its places.
template <class F>
void forEachByLanes(const Exec& exec, const char* name, std::int64_t count, const F& functor) {
    if (count <= 0) return;
    if (exec.backend == Backend::Cuda) {
#if defined(__CUDACC__)
        constexpr int kThreads = 128;
        constexpr std::int64_t kWarps = kThreads / 32;
        const auto blocks = static_cast<unsigned>((count + kWarps - 1) / kWarps);
        forEachByLanesKernel<<<blocks, kThreads, 0, static_cast<cudaStream_t>(exec.stream)>>>(
            count, functor);
        device::checkLaunch(name);
        return;
#else
        throw std::logic_error("forEachByLanes: CUDA backend in a file compiled without nvcc");
#endif
    }
    host::eachIndex(count, [&functor](std::int64_t i) { functor(i, Lanes<1>{0}); });
    (void)name;
}

} // namespace echolux
