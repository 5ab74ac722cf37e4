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

/// Where a line's pixels go, and what is done to them on the way.
struct LineOutput {
    float* decibels;
    Complex* complex;
    const Complex* subtract;
    const float* offsetDb;
    int depths;

    __device__ LineOutput(const OctChainShape& shape, const OctChainPixels& pixels,
                          const Complex* subtracted, const float* offset, std::int64_t line)
        : decibels(pixels.decibels), complex(pixels.complex), subtract(subtracted),
          offsetDb(offset), depths(shape.depths) {
        const std::int64_t at = line * depths;
        if (decibels != nullptr) decibels += at;
        if (complex != nullptr) complex += at;
    }

    /// depthOf(j) and valueOf(j) for j < Count: points of the transform in its lower half.
    template <int Count, class DepthOf, class ValueOf>
    __device__ __forceinline__ void write(const DepthOf& depthOf, const ValueOf& valueOf) const {
        if (complex != nullptr) {
#pragma unroll
            for (int j = 0; j < Count; ++j) {
                if (depthOf(j) < depths) complex[depthOf(j)] = valueOf(j);
            }
        } else if (offsetDb == nullptr) {
#pragma unroll
            for (int j = 0; j < Count; ++j) writeDecibels(depthOf(j), valueOf(j), 0.0F);
        } else {
#pragma unroll
            for (int j = 0; j < Count; ++j) {
                writeDecibels(depthOf(j), valueOf(j), offsetDb[depthOf(j)]);
            }
        }
    }

private:
    __device__ __forceinline__ void writeDecibels(int depth, Complex value, float offset) const {
        const float power = norm(value - subtract[depth]);
        const float db = fmaxf(kDecibelsPerOctave * log2Flushed(power) + offset, kNothingDb);
        if (depth < depths) decibels[depth] = db;
    }
};

} // namespace echolux::fused
