// SPDX-License-Identifier: GPL-3.0-or-later
// Inverse FFTs of 512 or 1024 points by one warp, in two passes. In each pass a thread transforms
// 16 or 32 points in its registers. Between the passes values are exchanged through shared memory.
// The two passes also run on the host, for tests.
#pragma once

#include "gpu/fused/oct_chain_kernel.hpp"
#include "gpu/fused/register_fft.hpp"

namespace echolux::fused {

/// Two values that are read at once.
struct alignas(16) ComplexPair {
    Complex first;
    Complex second;
};

/// The point of a transform of 32 kPoints points that is in v[0] afterwards. A negative number
/// counts from the end.
template <int kPoints> ECHOLUX_HD_INLINE int firstPointOf(int lane) {
    return lane % kPoints > kPoints / 2 ? lane - kPoints : lane;
}
template <int Grid> ECHOLUX_HD_INLINE int firstPoint(int lane) {
    return firstPointOf<pointsPerThread(Grid)>(lane);
}

/// A thread transforms its points 32 turn + lane, multiplies each output by its twiddle and calls
/// put(k, value). `passTwiddle` is indexed by passTwiddleIndex().
///
/// Outputs of the upper half count as negative frequencies. So their twiddles are the conjugates of
/// those of the lower half and need no table, and their points begin one step lower.
template <int kPoints, class Put> ECHOLUX_HD_INLINE void
turnedPass(Complex (&v)[kPoints], const Complex* passTwiddle, int lane, const Put& put) {
    RegisterFft<kPoints>::run(v);
    put(0, v[0]);
    const ComplexPair* twiddles = reinterpret_cast<const ComplexPair*>(passTwiddle) + lane;
    ECHOLUX_UNROLL
    for (int k = 1; k <= kPoints / 2; k += 2) {
        const ComplexPair two = twiddles[k / 2 * kLanes];
        put(k, v[k] * two.first);
        put(kPoints - k, v[kPoints - k] * conj(two.first));
        put(k + 1, v[k + 1] * two.second);
        if (k + 1 < kPoints / 2) put(kPoints - k - 1, v[kPoints - k - 1] * conj(two.second));
    }
}

/// The first pass. Writes to `exchange`, which has kPoints rows of kExchangePitch values.
template <int kPoints> ECHOLUX_HD_INLINE void firstPass(Complex (&v)[kPoints], Complex* exchange,
                                                        const Complex* passTwiddle, int lane) {
    turnedPass(v, passTwiddle, lane,
               [&](int k, Complex value) { exchange[k * kExchangePitch + lane] = value; });
}

/// Transposes 32 x 32 values of a warp. The real parts go first and then the imaginary parts, so
/// that half the memory is enough. For each part all lanes write, and after that all lanes read.
/// `exchange` has kPartFloats floats.
constexpr int kPartPitch = kLanes + 4; ///< rows are aligned to 16 bytes and begin in different
                                       ///< banks
constexpr int kPartFloats = kLanes * kPartPitch;
template <float Complex::*kPart>
ECHOLUX_HD_INLINE void writePart(const Complex (&v)[kLanes], float* exchange, int lane) {
    ECHOLUX_UNROLL
    for (int k = 0; k < kLanes; ++k) exchange[k * kPartPitch + lane] = v[k].*kPart;
}
template <float Complex::*kPart>
ECHOLUX_HD_INLINE void readPart(Complex (&v)[kLanes], const float* exchange, int lane) {
    struct alignas(16) Four {
        float at[4];
    };
    const auto* row = reinterpret_cast<const Four*>(exchange + lane * kPartPitch);
    ECHOLUX_UNROLL
    for (int n = 0; n < kLanes; n += 4) {
        const Four four = row[n / 4];
        ECHOLUX_UNROLL
        for (int i = 0; i < 4; ++i) v[n + i].*kPart = four.at[i];
    }
}

/// The second pass; all lanes must have finished the first one. On return v[j] is point
/// firstPointOf() + 32 j.
template <int kPoints>
ECHOLUX_HD_INLINE void secondPass(Complex (&v)[kPoints], const Complex* exchange, int lane) {
    if constexpr (kPoints == kLanes) {
        const auto* row = reinterpret_cast<const ComplexPair*>(exchange + lane * kExchangePitch);
        ECHOLUX_UNROLL
        for (int n = 0; n < kPoints; n += 2) {
            const ComplexPair two = row[n / 2];
            v[n] = two.first;
            v[n + 1] = two.second;
        }
    } else {
        // 16 transforms of 32 points for 32 lanes: the upper lanes compute the odd outputs.
        const Complex* row = exchange + (lane & 15) * kExchangePitch;
        const bool odd = lane >= 16;
        const float sign = odd ? -1.0F : 1.0F;
        ECHOLUX_UNROLL
        for (int n = 0; n < kPoints; ++n) v[n] = row[n] + sign * row[n + kPoints];
        if (odd) {
            const Complex step = root32<1>();
            Complex turn = step;
            ECHOLUX_UNROLL
            for (int n = 1; n < kPoints; ++n) {
                v[n] = v[n] * turn;
                turn = turn * step;
            }
        }
    }
    RegisterFft<kPoints>::run(v);
}

#if defined(__CUDACC__)
__device__ __forceinline__ Complex firstOf(float4 two) { return {two.x, two.y}; }
__device__ __forceinline__ Complex secondOf(float4 two) { return {two.z, two.w}; }

/// Both passes of one warp.
template <int Grid>
__device__ __forceinline__ void transform(Complex (&v)[pointsPerThread(Grid)], Complex* exchange,
                                          const Complex* passTwiddle, int lane) {
    firstPass(v, exchange, passTwiddle, lane);
    __syncwarp();
    secondPass(v, exchange, lane);
}
#endif

} // namespace echolux::fused
