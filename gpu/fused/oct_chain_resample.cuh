// SPDX-License-Identifier: GPL-3.0-or-later
// Gathers the samples of lines in shared memory to the points of a grid.
#pragma once

#include "gpu/fused/line_pair.cuh"
#include "gpu/fused/oct_chain_local.cuh"

#include <cstdint>

namespace echolux::fused {

/// The sum of four samples of the lines A and B times their weights.
struct WeightedSum {
    float a;
    float b;
};

__device__ __forceinline__ WeightedSum sumOfTaps(const float2* tap, float4 w, const CodeToFloat&) {
    const float2 s0 = tap[0];
    const float2 s1 = tap[1];
    const float2 s2 = tap[2];
    const float2 s3 = tap[3];
    return {w.x * s0.x + w.y * s1.x + w.z * s2.x + w.w * s3.x,
            w.x * s0.y + w.y * s1.y + w.z * s2.y + w.w * s3.y};
}

__device__ __forceinline__ WeightedSum sumOfTaps(const std::uint32_t* tap, float4 w,
                                                 const CodeToFloat& value) {
    const std::uint32_t s0 = tap[0];
    const std::uint32_t s1 = tap[1];
    const std::uint32_t s2 = tap[2];
    const std::uint32_t s3 = tap[3];
    return {w.x * value.low(s0) + w.y * value.low(s1) + w.z * value.low(s2) + w.w * value.low(s3),
            w.x * value.high(s0) + w.y * value.high(s1) + w.z * value.high(s2) +
                w.w * value.high(s3)};
}

/// The grid points of a thread: points 32 turn + lane of the warp's share, for lines A and B, or
/// for the real and the imaginary part of one line.
template <int Grid, class Sample>
__device__ __forceinline__ void resample(const ChainArguments& args, const std::uint16_t* firstTap,
                                         const float4* weights, int entry, const Sample* samples,
                                         float (&a)[pointsPerThread(Grid)],
                                         float (&b)[pointsPerThread(Grid)]) {
    constexpr int kPoints = pointsPerThread(Grid);
    const CodeToFloat value(args.shape);
#pragma unroll
    for (int turn = 0; turn < kPoints; ++turn) {
        const WeightedSum sum = sumOfTaps(samples + firstTap[entry + turn * kLanes],
                                          weights[entry + turn * kLanes], value);
        a[turn] = sum.a;
        b[turn] = sum.b;
    }
#pragma unroll 1
    for (int group = 1; group < args.shape.tapGroups; ++group) {
#pragma unroll
        for (int turn = 0; turn < kPoints; ++turn) {
            const WeightedSum sum =
                sumOfTaps(samples + firstTap[entry + turn * kLanes] + group * kTapsPerGroup,
                          weights[group * Grid + entry + turn * kLanes], value);
            a[turn] += sum.a;
            b[turn] += sum.b;
        }
    }
}

/// The same for lines A and B with complex weights.
template <int Grid> __device__ __forceinline__ void
resampleTurned(const ChainArguments& args, const std::uint16_t* firstTap, const float4* weights,
               int entry, const float2* samples, Complex (&a)[pointsPerThread(Grid)],
               Complex (&b)[pointsPerThread(Grid)]) {
    constexpr int kPoints = pointsPerThread(Grid);
    const CodeToFloat unused(args.shape);
    const float4* imaginary = weights + args.shape.tapGroups * Grid;
    const auto add = [&](int turn, int group) {
        const float2* tap = samples + firstTap[entry + turn * kLanes] + group * kTapsPerGroup;
        const int at = group * Grid + entry + turn * kLanes;
        const WeightedSum re = sumOfTaps(tap, weights[at], unused);
        const WeightedSum im = sumOfTaps(tap, imaginary[at], unused);
        a[turn] = a[turn] + Complex{re.a, im.a};
        b[turn] = b[turn] + Complex{re.b, im.b};
    };
#pragma unroll
    for (int turn = 0; turn < kPoints; ++turn) {
        a[turn] = b[turn] = Complex{};
        add(turn, 0);
    }
#pragma unroll 1
    for (int group = 1; group < args.shape.tapGroups; ++group) {
#pragma unroll
        for (int turn = 0; turn < kPoints; ++turn) add(turn, group);
    }
}

} // namespace echolux::fused
