// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the transform of a line into pixels.
#pragma once

#include "gpu/core/decibels.hpp"
#include "gpu/fused/oct_chain_kernel.hpp"

namespace echolux::fused {

constexpr float kDecibelsPerOctave = 3.01029996F; ///< of power

/// log2; subnormals count as 0.
__device__ __forceinline__ float log2Flushed(float x) {
    float y;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// 2^x; subnormal results are 0.
__device__ __forceinline__ float exp2Flushed(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// Destination of a line's pixels, and the operations on them.
template <int Grid, bool kFullRange, bool kLinear> struct LineOutput {
    float* pixels;
    Complex* complex;
    const Complex* subtract;
    const float* offsetDb;
    int depths;

    __device__ LineOutput(const OctChainShape& shape, const OctChainPixels& to,
                          const Complex* subtracted, const float* offset, std::int64_t line)
        : pixels(to.pixels), complex(to.complex), subtract(subtracted), offsetDb(offset),
          depths(shape.depths) {
        const std::int64_t at = line * depths;
        if (pixels != nullptr) pixels += at;
        if (complex != nullptr) complex += at;
    }

    /// Writes pixels for j < Count. pointOf(j) is a point of the transform and valueOf(j) its
    /// value. Without the full range all points are in the lower half.
    template <int Count, class PointOf, class ValueOf>
    __device__ __forceinline__ void write(const PointOf& pointOf, const ValueOf& valueOf) const {
        if (complex != nullptr) {
#pragma unroll
            for (int j = 0; j < Count; ++j) {
                const int depth = depthOf(pointOf(j));
                if (isInside(depth)) complex[depth] = valueOf(j);
            }
        } else if (offsetDb == nullptr) {
#pragma unroll
            for (int j = 0; j < Count; ++j) writePixel(depthOf(pointOf(j)), valueOf(j), false);
        } else {
#pragma unroll
            for (int j = 0; j < Count; ++j) writePixel(depthOf(pointOf(j)), valueOf(j), true);
        }
    }

private:
    __device__ __forceinline__ int depthOf(int point) const {
        if constexpr (!kFullRange) return point;
        return (point < Grid / 2 ? point : point - Grid) + depths / 2;
    }
    __device__ __forceinline__ bool isInside(int depth) const {
        if constexpr (!kFullRange) return depth < depths;
        return static_cast<unsigned>(depth) < static_cast<unsigned>(depths);
    }

    __device__ __forceinline__ void writePixel(int depth, Complex value, bool tapered) const {
        if (kFullRange && !isInside(depth)) return;
        const float octaves = log2Flushed(norm(value - subtract[depth]));
        const float raisedDb = tapered ? offsetDb[depth] : 0.0F;
        float pixel = 0.0F;
        if constexpr (kLinear) {
            constexpr float kOctavesPerDecibel = 0.166096405F; // of amplitude
            pixel = fmaxf(exp2Flushed(0.5F * octaves + kOctavesPerDecibel * raisedDb), 0.0F);
        } else {
            pixel = fmaxf(kDecibelsPerOctave * octaves + raisedDb, kNothingDb);
        }
        if (depth < depths) pixels[depth] = pixel;
    }
};

} // namespace echolux::fused
