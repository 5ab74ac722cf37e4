// SPDX-License-Identifier: GPL-3.0-or-later
// Tier B scan: for every element of a line, what the elements before it give together. On CUDA a
// block handles a line, on the CPU a thread does. Include it only from .cu files, which also
// compile as plain C++.
#pragma once

#include "gpu/core/portable.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/exec/host_loop.hpp"

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace echolux {

#if defined(__CUDACC__)
namespace line_scan {

inline constexpr int kThreads = 128;
inline constexpr int kWarps = kThreads / 32;
inline constexpr int kRows = 4; ///< elements of a thread at once, kThreads apart
inline constexpr int kTotals = kWarps * kRows;
inline constexpr int kTile = kThreads * kRows;
static_assert(kTotals <= 32, "a warp folds the totals of a tile");

/// Moves a value between the lanes of a warp, word by word.
template <class T, class Move> __device__ T moved(const T& value, const Move& move) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(unsigned) == 0);
    unsigned words[sizeof(T) / sizeof(unsigned)];
    memcpy(words, &value, sizeof(T));
    for (unsigned& word : words) word = move(word);
    T result = value;
    memcpy(&result, words, sizeof(T));
    return result;
}
template <class T> __device__ T fromBelow(const T& value, int distance) {
    return moved(value, [=](unsigned w) { return __shfl_up_sync(0xffffffffU, w, distance); });
}
template <class T> __device__ T fromLane(const T& value, int lane) {
    return moved(value, [=](unsigned w) { return __shfl_sync(0xffffffffU, w, lane); });
}

/// Joins each lane's value with those of all lanes below it.
template <int kLanes, class F>
__device__ void foldLanes(const F& functor, int lane, typename F::Value& value) {
    for (int half = 1; half < kLanes; half *= 2) {
        const auto earlier = fromBelow(value, half);
        if (lane >= half) value = functor.joined(earlier, value);
    }
}

template <class F> __global__ void __launch_bounds__(kThreads)
    kernel(std::int64_t length, F functor) {
    using Value = typename F::Value;
    // Two tiles, so that a warp may begin a tile while others still read the totals of the last.
    alignas(Value) __shared__ unsigned char memory[2 * kTotals * sizeof(Value)];
    int turn = 0;
    const std::int64_t line = blockIdx.x;
    const auto lane = static_cast<int>(threadIdx.x % 32);
    const auto warp = static_cast<int>(threadIdx.x / 32);
    Value carry = functor.none();
    for (std::int64_t first = 0; first < length; first += kTile) {
        auto* totals = reinterpret_cast<Value*>(memory) + turn * kTotals;
        turn = 1 - turn;
        Value folded[kRows];
        for (int row = 0; row < kRows; ++row) {
            const std::int64_t n = first + row * kThreads + threadIdx.x;
            folded[row] = n < length ? functor.value(line, n) : functor.none();
        }
        for (int row = 0; row < kRows; ++row) {
            foldLanes<32>(functor, lane, folded[row]);
            if (lane == 31) totals[row * kWarps + warp] = folded[row];
        }
        __syncthreads();
        Value all = lane < kTotals ? totals[lane] : functor.none();
        foldLanes<kTotals>(functor, lane, all);
        for (int row = 0; row < kRows; ++row) {
            const int warpsBefore = row * kWarps + warp;
            const Value above = fromLane(all, warpsBefore > 0 ? warpsBefore - 1 : 0);
            const Value front = warpsBefore > 0 ? functor.joined(carry, above) : carry;
            const Value own = fromBelow(folded[row], 1);
            const std::int64_t n = first + row * kThreads + threadIdx.x;
            if (n < length) functor(line, n, lane > 0 ? functor.joined(front, own) : front);
        }
        carry = functor.joined(carry, fromLane(all, kTotals - 1));
    }
}

} // namespace line_scan
#endif

/// Calls functor(line, n, before) for 0 <= line < lines, 0 <= n < length, in any order, with
/// before = value(line, 0) o ... o value(line, n - 1), and none() for n = 0. F has
///   Value              trivially copyable, a multiple of 4 bytes,
///   none()             with none() o a = a o none() = a,
///   value(line, n)     of an element; what operator() writes must not change it,
///   joined(a, b)       a o b, associative; a stands before b. It need not be commutative.
/// Rounding differs between backends, but is the same in every run. A scan from the last element to
/// the first counts n from there.
template <class F> void scanLines(const Exec& exec, const char* name, std::int64_t lines,
                                  std::int64_t length, const F& functor) {
    if (lines <= 0 || length <= 0) return;
    if (exec.backend == Backend::Cuda) {
#if defined(__CUDACC__)
        line_scan::kernel<<<static_cast<unsigned>(lines), line_scan::kThreads, 0,
                            static_cast<cudaStream_t>(exec.stream)>>>(length, functor);
        device::checkLaunch(name);
        return;
#else
        throw std::logic_error("scanLines: CUDA backend in a file compiled without nvcc");
#endif
    }
    host::eachIndex(lines, [&functor, length](std::int64_t line) {
        typename F::Value before = functor.none();
        for (std::int64_t n = 0; n < length; ++n) {
            functor(line, n, before);
            before = functor.joined(before, functor.value(line, n));
        }
    });
    (void)name;
}

} // namespace echolux
