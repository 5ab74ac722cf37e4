// SPDX-License-Identifier: GPL-3.0-or-later
// From a line's transform to its pixels.
#pragma once

#include "gpu/core/decibels.hpp"
#include "gpu/fused/oct_chain_kernel.hpp"

namespace echolux::fused {

constexpr float kDecibelsPerOctave = 3.01029996F; ///< of power

/// log2, subnormals taken as 0.
__device__ __forceinline__ float log2Flushed(float x) {
    float y;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// 2^x, subnormals as 0.
__device__ __forceinline__ float exp2Flushed(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// Where a line's pixels go, and what is done to them on the way.
template <int Grid, bool kFullRange> struct LineOutput {
    float* pixels;
    Complex* complex;
    const Complex* subtract;
    const float* offsetDb;
    int depths;
    bool linear;

    __device__ LineOutput(const OctChainShape& shape, const OctChainPixels& to,
                          const Complex* subtracted, const float* offset, std::int64_t line)
        : pixels(to.pixels), complex(to.complex), subtract(subtracted), offsetDb(offset),
          depths(shape.depths), linear(shape.linear) {
        const std::int64_t at = line * depths;
        if (pixels != nullptr) pixels += at;
        if (complex != nullptr) complex += at;
    }

    /// pointOf(j) and valueOf(j) for j < Count: points of the transform, in its lower half unless
    /// the full range is wanted.
    template <int Count, class PointOf, class ValueOf>
    __device__ __forceinline__ void write(const PointOf& pointOf, const ValueOf& valueOf) const {
        if (complex != nullptr) {
#pragma unroll
            for (int j = 0; j < Count; ++j) {
                const int depth = depthOf(pointOf(j));
                if (isInside(depth)) complex[depth] = valueOf(j);
            }
        } else if (linear) {
#pragma unroll
            for (int j = 0; j < Count; ++j) {
                writePixel(depthOf(pointOf(j)), valueOf(j), [this](float power, int depth) {
                    constexpr float kOctavesPerDecibel = 0.166096405F; // of amplitude
                    const float raised = offsetDb == nullptr ? 0.0F : offsetDb[depth];
                    return fmaxf(
                        exp2Flushed(0.5F * log2Flushed(power) + kOctavesPerDecibel * raised), 0.0F);
                });
            }
        } else if (offsetDb == nullptr) {
#pragma unroll
            for (int j = 0; j < Count; ++j) {
                writePixel(depthOf(pointOf(j)), valueOf(j), [](float power, int) {
                    return fmaxf(kDecibelsPerOctave * log2Flushed(power), kNothingDb);
                });
            }
        } else {
#pragma unroll
            for (int j = 0; j < Count; ++j) {
                writePixel(depthOf(pointOf(j)), valueOf(j), [this](float power, int depth) {
                    return fmaxf(kDecibelsPerOctave * log2Flushed(power) + offsetDb[depth],
                                 kNothingDb);
                });
            }
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

    template <class PixelOf> __device__ __forceinline__ void
    writePixel(int depth, Complex value, const PixelOf& pixelOf) const {
        if (kFullRange && !isInside(depth)) return;
        const float pixel = pixelOf(norm(value - subtract[depth]), depth);
        if (depth < depths) pixels[depth] = pixel;
    }
};

} // namespace echolux::fused
