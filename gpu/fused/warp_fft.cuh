// SPDX-License-Identifier: GPL-3.0-or-later
// Inverse FFTs of 512 or 1024 points by one warp: 16 or 32 points in a thread's registers, twice,
// with an exchange through shared memory between.
#pragma once

#include "gpu/fused/oct_chain_kernel.hpp"
#include "gpu/fused/register_fft.cuh"

namespace echolux::fused {

__device__ __forceinline__ Complex firstOf(float4 two) { return {two.x, two.y}; }
__device__ __forceinline__ Complex secondOf(float4 two) { return {two.z, two.w}; }

/// Point of the transform in v[0], see transform(); below zero it stands for one at the end.
template <int Grid> __device__ __forceinline__ int firstPoint(int lane) {
    constexpr int kPoints = pointsPerThread(Grid);
    return lane % kPoints > kPoints / 2 ? lane - kPoints : lane;
}

/// A thread transforms its points 32 turn + lane, the warp transposes, a thread transforms again:
/// on return v[j] is point firstPoint() + 32 j of the transform.
///
/// Outputs of the upper half of the first pass count as negative frequencies: so their twiddles are
/// the conjugates of the lower half's and need no table, and their points begin one step lower.
template <int Grid>
__device__ __forceinline__ void transform(Complex (&v)[pointsPerThread(Grid)], Complex* exchange,
                                          const Complex* passTwiddle, int lane) {
    constexpr int kPoints = pointsPerThread(Grid);
    RegisterFft<kPoints>::run(v);
    exchange[lane] = v[0];
    const float4* twiddles = reinterpret_cast<const float4*>(passTwiddle) + lane;
#pragma unroll
    for (int k = 1; k <= kPoints / 2; k += 2) {
        const float4 two = twiddles[k / 2 * kLanes];
        exchange[k * kExchangePitch + lane] = v[k] * firstOf(two);
        exchange[(kPoints - k) * kExchangePitch + lane] = v[kPoints - k] * conj(firstOf(two));
        exchange[(k + 1) * kExchangePitch + lane] = v[k + 1] * secondOf(two);
        if (k + 1 < kPoints / 2) {
            exchange[(kPoints - k - 1) * kExchangePitch + lane] =
                v[kPoints - k - 1] * conj(secondOf(two));
        }
    }
    __syncwarp();
    if constexpr (kPoints == kLanes) {
        const float4* row = reinterpret_cast<const float4*>(exchange + lane * kExchangePitch);
#pragma unroll
        for (int n = 0; n < kPoints; n += 2) {
            const float4 two = row[n / 2];
            v[n] = firstOf(two);
            v[n + 1] = secondOf(two);
        }
    } else {
        // 16 transforms of 32 points for 32 lanes: the upper lanes take the odd outputs.
        const Complex* row = exchange + (lane & 15) * kExchangePitch;
        const bool odd = lane >= 16;
        const float sign = odd ? -1.0F : 1.0F;
#pragma unroll
        for (int n = 0; n < kPoints; ++n) {
            v[n] = row[n] + sign * row[n + kPoints];
        }
        if (odd) {
            const Complex step = root32<1>();
            Complex turn = step;
#pragma unroll
            for (int n = 1; n < kPoints; ++n) {
                v[n] = v[n] * turn;
                turn = turn * step;
            }
        }
    }
    RegisterFft<kPoints>::run(v);
}

} // namespace echolux::fused
