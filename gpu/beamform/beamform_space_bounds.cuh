// SPDX-License-Identifier: GPL-3.0-or-later
// The positions of a block's pixels, and from these the range of the paths to them.
#pragma once

#include "gpu/beamform/beamform_formula.hpp"
#include "gpu/beamform/beamform_space.hpp"

#if defined(__CUDACC__)

namespace echolux::das {

/// The bounding box of the places that a block images.
struct Bounds {
    float3 least;
    float3 most;

    /// Least and greatest distance to a point. countsX and countsY tell which coordinates count.
    __device__ float2 distances(float3 to, float countsX, float countsY) const {
        const float x = fmaxf(fmaxf(least.x - to.x, to.x - most.x), 0.0F) * countsX;
        const float y = fmaxf(fmaxf(least.y - to.y, to.y - most.y), 0.0F) * countsY;
        const float z = fmaxf(fmaxf(least.z - to.z, to.z - most.z), 0.0F);
        const float farX = fmaxf(fabsf(least.x - to.x), fabsf(most.x - to.x)) * countsX;
        const float farY = fmaxf(fabsf(least.y - to.y), fabsf(most.y - to.y)) * countsY;
        const float farZ = fmaxf(fabsf(least.z - to.z), fabsf(most.z - to.z));
        return {hypotenuse(x, z, y), hypotenuse(farX, farZ, farY)};
    }

    /// Least and greatest transmit path.
    __device__ float2 paths(const TransmitConstants& t) const {
        if (!t.plane) {
            const float2 d = distances({t.sourceX, t.sourceY, t.sourceZ}, t.countsX, t.countsY);
            return {t.pathOffset + d.x, t.pathOffset + d.y};
        }
        const auto along = [&](float direction, float low, float high) {
            return direction >= 0.0F ? make_float2(direction * low, direction * high)
                                     : make_float2(direction * high, direction * low);
        };
        const float2 x = along(t.directionX, least.x, most.x);
        const float2 y = along(t.directionY, least.y, most.y);
        const float2 z = along(t.directionZ, least.z, most.z);
        return {x.x + y.x + z.x, x.y + y.y + z.y};
    }
};

__device__ inline float warpLeast(float value) {
    for (int distance = 16; distance > 0; distance >>= 1)
        value = fminf(value, __shfl_xor_sync(0xFFFFFFFFU, value, distance));
    return value;
}

/// The least value of all threads. `scratch` holds one float per warp. Synchronises.
template <int kWarps> __device__ float leastOf(float value, float* scratch) {
    const float least = warpLeast(value);
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = least;
    __syncthreads();
    float all = scratch[0];
    for (int w = 1; w < kWarps; ++w) all = fminf(all, scratch[w]);
    return all;
}

constexpr int kBoundsScratch = 6; ///< floats per warp

/// Bounds of the places of all threads; those of a thread go from `a` to `b` along a line.
/// Synchronises.
template <int kWarps> __device__ Bounds boundsOf(const Place& a, const Place& b, float* scratch) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    // The greatest value is minus the least of the negative values.
    const float values[kBoundsScratch] = {fminf(a.x, b.x),  fminf(a.y, b.y),  fminf(a.z, b.z),
                                          -fmaxf(a.x, b.x), -fmaxf(a.y, b.y), -fmaxf(a.z, b.z)};
    for (int i = 0; i < kBoundsScratch; ++i) {
        const float least = warpLeast(values[i]);
        if (threadIdx.x % 32 == 0) scratch[warp * kBoundsScratch + i] = least;
    }
    __syncthreads();
    float all[kBoundsScratch];
    for (int i = 0; i < kBoundsScratch; ++i) {
        all[i] = scratch[i];
        for (int w = 1; w < kWarps; ++w) all[i] = fminf(all[i], scratch[w * kBoundsScratch + i]);
    }
    return {{all[0], all[1], all[2]}, {-all[3], -all[4], -all[5]}};
}

} // namespace echolux::das

#endif
