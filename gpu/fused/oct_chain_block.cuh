// SPDX-License-Identifier: GPL-3.0-or-later
// The OCT chain in one kernel: raw codes are read once, decibels are written once. One file per
// range and scale includes this one, so that they compile in parallel and no kernel slows another
// down.
//
// One warp processes a pair of lines at a time; longer transforms need several warps: 2 for 2048
// points, 3 for 1536 and 3072, up to 8 for 8192. The two lines are interleaved in shared memory. So
// in the resampling one load reads both lines, and the tables are read once for both. Then each
// line goes through the inverse transform. Where window and phase act on the samples, they are part
// of complex weights where registers hold both lines' points; else one line at a time takes the
// place of the pair, with its real and imaginary parts interleaved. Warps that share a line hold
// every second (third, ... eighth) sample and combine their results at the end.
//
// The kernel is limited by the traffic of shared memory and then by the rate of instructions. So
// lines stay 16 bit codes there, tables are laid out for loads of 16 bytes, and conjugates share
// twiddles. Registers are the next limit: after a change, check the spills that ptxas reports.
#pragma once

#include "gpu/fused/oct_chain_kernel.hpp"

#if defined(__CUDACC__)

#include "gpu/core/error.hpp"
#include "gpu/fused/line_output.cuh"
#include "gpu/fused/line_pair.cuh"
#include "gpu/fused/oct_chain_local.cuh"
#include "gpu/fused/oct_chain_resample.cuh"
#include "gpu/fused/warp_fft.hpp"
#include "gpu/oct/oct_limits.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace echolux::fused {

/// Loads the data of the next turn into the second-level cache, one cache line per thread.
__device__ __forceinline__ void prefetch(const unsigned char* from, const unsigned char* end,
                                         int thread) {
    constexpr int kCacheLine = 128;
    const unsigned char* at = from + thread * kCacheLine;
    if (at < end) asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

/// exp(2 pi j turns / 8) z.
__device__ __forceinline__ Complex eighthTurned(Complex z, int turns) {
    constexpr float kHalfRoot = 0.707106781F;
    if ((turns & 1) != 0) z = {kHalfRoot * (z.re - z.im), kHalfRoot * (z.re + z.im)};
    switch (turns & 6) {
    case 2: return {-z.im, z.re};
    case 4: return {-z.re, -z.im};
    case 6: return {z.im, -z.re};
    default: return z;
    }
}

/// exp(2 pi j turns / kParts) z, for 2, 3, 4, 5, 6 or 8 parts.
template <int kParts> __device__ __forceinline__ Complex partTurned(Complex z, int turns) {
    if constexpr (8 % kParts == 0) {
        return eighthTurned(z, turns * (8 / kParts));
    } else if constexpr (kParts == 5) {
        switch (turns % 5) {
        case 1: return Complex{0.309016994F, 0.951056516F} * z;
        case 2: return Complex{-0.809016994F, 0.587785252F} * z;
        case 3: return Complex{-0.809016994F, -0.587785252F} * z;
        case 4: return Complex{0.309016994F, -0.951056516F} * z;
        default: return z;
        }
    } else {
        static_assert(6 % kParts == 0);
        switch (turns * (6 / kParts) % 6) {
        case 1: return Complex{0.5F, 0.866025404F} * z;
        case 2: return Complex{-0.5F, 0.866025404F} * z;
        case 3: return {-z.re, -z.im};
        case 4: return Complex{-0.5F, -0.866025404F} * z;
        case 5: return Complex{0.5F, -0.866025404F} * z;
        default: return z;
        }
    }
}

/// Output of a transform that one warp holds, beginning with the point `base`, or of its lower
/// half.
template <int Grid, bool kFullRange, bool kLinear>
__device__ __forceinline__ void writeOwn(const LineOutput<Grid, kFullRange, kLinear>& out,
                                         const Complex (&v)[pointsPerThread(Grid)], int base) {
    constexpr int kPoints = pointsPerThread(Grid);
    const bool below = base < 0;
    if constexpr (kFullRange) {
        const int first = below ? base + Grid : base;
        out.template write<kPoints>([&](int j) { return j == 0 ? first : base + kLanes * j; },
                                    [&](int j) { return v[j]; });
    } else {
        const Complex first = below ? v[kPoints / 2] : v[0];
        const int firstDepth = below ? base + Grid / 2 : base;
        out.template write<kPoints / 2>(
            [&](int j) { return j == 0 ? firstDepth : base + kLanes * j; },
            [&](int j) { return j == 0 ? first : v[j]; });
    }
}

/// Output of the transform of Grid points, or of its lower half, made of the transforms V_w of the
/// team's warps: X[k + T r] = sum over warps w of exp(2 pi j (k w / Grid + T r w / Grid)) V_w[k], T
/// points each.
template <int Grid, bool kFullRange, bool kLinear>
__device__ __forceinline__ void writeCombined(const LineOutput<Grid, kFullRange, kLinear>& out,
                                              const Complex (&v)[pointsPerThread(Grid)], int base,
                                              const Team<warpsPerPair(Grid)>& team,
                                              Complex* exchange, const Complex* warpTwiddle) {
    constexpr int kPoints = pointsPerThread(Grid);
    constexpr int kWarps = warpsPerPair(Grid);
    constexpr int kTransform = pointsPerWarp(Grid);
    constexpr int kOfWarp = exchangePlaces(Grid);
    // Only the first of the thread's points may be negative; all others have one address with
    // constant offsets.
    const int first = base & (kTransform - 1);
    Complex* own = exchange + team.warp * kOfWarp;
    if (team.warp == 0) {
        own[first] = v[0];
#pragma unroll
        for (int j = 1; j < kPoints; ++j) own[base + kLanes * j] = v[j];
    } else {
        const Complex* twiddle = warpTwiddle + (team.warp - 1) * kTransform;
        own[first] = v[0] * twiddle[first];
#pragma unroll
        for (int j = 1; j < kPoints; ++j) {
            own[base + kLanes * j] = v[j] * twiddle[base + kLanes * j];
        }
    }
    team.sync();
    constexpr int kShare = (kPoints + kWarps - 1) / kWarps;
    constexpr int kParts = kFullRange ? kWarps : (kWarps + 1) / 2;
#pragma unroll
    for (int j = 0; j < kShare; ++j) {
        const int row = team.warp * kShare + j;
        if (kPoints % kWarps != 0 && row >= kPoints) break;
        const int k = team.lane + kLanes * row;
        Complex share[kWarps];
#pragma unroll
        for (int w = 0; w < kWarps; ++w) share[w] = exchange[w * kOfWarp + k];
        out.template write<kParts>([&](int r) { return k + kTransform * r; },
                                   [&](int r) {
                                       Complex sum = share[0];
#pragma unroll
                                       for (int w = 1; w < kWarps; ++w) {
                                           sum = sum + partTurned<kWarps>(share[w], r * w);
                                       }
                                       return sum;
                                   });
    }
}

template <int Grid, bool kFullRange, bool kLinear, bool kSharedTables, class Layout>
__global__ void __launch_bounds__(kMostWarpsPerBlock* kLanes, 1)
    octChain(const ChainArguments args) {
    constexpr int kPoints = pointsPerThread(Grid);
    constexpr int kWarps = warpsPerPair(Grid);
    extern __shared__ float4 sharedMemory[];
    auto* memory = reinterpret_cast<unsigned char*>(sharedMemory);
    const Team<kWarps> team;
    Complex* exchangeOfTeam = reinterpret_cast<Complex*>(memory) + team.index * args.pairPlaces;
    auto* samples = reinterpret_cast<typename Layout::Sample*>(exchangeOfTeam);
    Complex* exchange = exchangeOfTeam + team.warp * exchangePlaces(Grid);
    const int teams = static_cast<int>(blockDim.x) / (kLanes * kWarps);
    const LocalTables<Grid, kSharedTables, Layout::kComplexWeights> tables(
        args, memory + static_cast<std::size_t>(args.pairPlaces) * sizeof(Complex) * teams);

    const std::size_t lineBytes = bytesOfLine(args.shape);
    const auto* raw = static_cast<const unsigned char*>(args.pixels.raw);
    const auto* rawEnd = raw + static_cast<std::size_t>(args.pixels.lines) * lineBytes;
    constexpr int kAtOnce = Layout::kLinesAtOnce;
    constexpr bool kFloats = std::is_same_v<typename Layout::Sample, float2>;
    constexpr bool kComplexWeights = Layout::kComplexWeights;
    const std::int64_t pairs = (args.pixels.lines + kAtOnce - 1) / kAtOnce;
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * teams;
    const int entry = team.warp * kPoints * kLanes + team.lane;
    const float4* factors = reinterpret_cast<const float4*>(tables.factor) +
                            team.warp * kPoints / 2 * kLanes + team.lane;
    const int base = firstPoint<Grid>(team.lane);

    // Neighbouring pairs go to different multiprocessors, so that a small frame uses all of them.
    for (std::int64_t pair = static_cast<std::int64_t>(team.index) * gridDim.x + blockIdx.x;
         pair < pairs; pair += step) {
        const std::int64_t lineA = kAtOnce * pair;
        const bool single = kAtOnce == 1 || lineA + 1 >= args.pixels.lines;
        const auto* rawA = raw + static_cast<std::size_t>(lineA) * lineBytes;
        const auto* rawB = single ? rawA : rawA + lineBytes;
        auto* codes = reinterpret_cast<std::uint32_t*>(exchangeOfTeam + args.codesAt);
        if (kFloats && args.codesAt > 0) {
            loadCodeRows(args.shape, team, rawA, rawB, codes);
        } else {
            Layout::load(args.shape, args.stride, team, rawA, rawB, samples);
        }
        prefetch(rawA + kAtOnce * step * lineBytes, rawEnd, team.thread);
        team.sync();
        if constexpr (kFloats) {
            if (args.shape.movingWindow > 0) {
                if (args.codesAt > 0) {
                    subtractMovingOfCodes<Layout>(args.shape, args.tables.movingScale, args.stride,
                                                  team, codes, samples);
                } else {
                    subtractMovingAverage(args.shape, args.tables.movingScale, args.stride, team,
                                          samples);
                }
                team.sync();
            }
        }
        if constexpr (kAtOnce == 1) {
            turnSamples(args.shape, tables.factor, args.stride, team, samples);
            team.sync();
        }
        // Either complex points of this line and of the next one, or both lines, or the real and
        // the imaginary part of one.
        constexpr int kComplexPoints = kComplexWeights ? kPoints : 1;
        constexpr int kRealPoints = kComplexWeights ? 1 : kPoints;
        Complex points[kComplexPoints];
        Complex next[kComplexPoints];
        float a[kRealPoints];
        float b[kRealPoints];
        if constexpr (kComplexWeights) {
            resampleTurned<Grid>(args, tables.firstTap, tables.weights, entry, samples, points,
                                 next);
        } else {
            resample<Grid>(args, tables.firstTap, tables.weights, entry, samples, a, b);
        }
        team.sync();
#pragma unroll 1
        for (int which = 0; which < 2; ++which) {
            if (which == 1 && single) break;
            Complex v[kPoints];
            if constexpr (kComplexWeights) {
#pragma unroll
                for (int turn = 0; turn < kPoints; ++turn) {
                    v[turn] = points[turn];
                    points[turn] = next[turn];
                }
            } else if constexpr (kAtOnce == 1) {
#pragma unroll
                for (int turn = 0; turn < kPoints; ++turn) v[turn] = {a[turn], b[turn]};
            } else {
#pragma unroll
                for (int turn = 0; turn < kPoints; turn += 2) {
                    const float4 two = factors[turn / 2 * kLanes];
                    v[turn] = a[turn] * firstOf(two);
                    v[turn + 1] = a[turn + 1] * secondOf(two);
                    a[turn] = b[turn];
                    a[turn + 1] = b[turn + 1];
                }
            }
            transform<Grid>(v, exchange, tables.passTwiddle, team.lane);
            const LineOutput<Grid, kFullRange, kLinear> out(
                args.shape, args.pixels, tables.subtract, tables.offsetDb, lineA + which);
            __syncwarp();
            if constexpr (kWarps == 1) {
                writeOwn(out, v, base);
            } else {
                writeCombined(out, v, base, team, exchangeOfTeam, tables.warpTwiddle);
                team.sync();
            }
        }
    }
}

/// How lines that become complex are gathered.
template <int Grid> using Turned =
    std::conditional_t<pointsPerThread(Grid) == 16, TurnedPairs, TurnedLine>;

/// With more points, no card has enough shared memory for the tables beside the lines.
template <int Grid> constexpr bool kTablesMayFit = Grid <= 2048;

template <class Kernel> void allow(Kernel kernel, const OctChainDevice& device) {
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(device.sharedBytes)) != cudaSuccess) {
        cudaGetLastError(); // reported here, not again by the next check
        throw Error("The fused OCT kernel cannot have the shared memory of this GPU; update its "
                    "driver, or use the CPU backend.");
    }
}

template <int Grid, bool kFullRange, bool kLinear> void allowGrid(const OctChainDevice& device) {
    allow(octChain<Grid, kFullRange, kLinear, false, CodePairs>, device);
    allow(octChain<Grid, kFullRange, kLinear, false, FloatPairs>, device);
    allow(octChain<Grid, kFullRange, kLinear, false, Turned<Grid>>, device);
    if constexpr (kTablesMayFit<Grid>) {
        allow(octChain<Grid, kFullRange, kLinear, true, Turned<Grid>>, device);
        allow(octChain<Grid, kFullRange, kLinear, true, CodePairs>, device);
        allow(octChain<Grid, kFullRange, kLinear, true, FloatPairs>, device);
    }
}

template <int Grid, bool kFullRange, bool kLinear, bool kSharedTables, class Layout>
void launch(const Exec& exec, const ChainArguments& args, const OctChainDevice& device, int warps,
            std::size_t sharedBytes) {
    constexpr int kAtOnce = Layout::kLinesAtOnce;
    const std::int64_t pairs = (args.pixels.lines + kAtOnce - 1) / kAtOnce;
    const auto blocks =
        static_cast<unsigned>(std::min<std::int64_t>(device.multiprocessors, pairs));
    octChain<Grid, kFullRange, kLinear, kSharedTables, Layout>
        <<<blocks, static_cast<unsigned>(warps * kLanes), sharedBytes,
           static_cast<cudaStream_t>(exec.stream)>>>(args);
    device::checkLaunch("oct_chain");
}

template <int Grid, bool kFullRange, bool kLinear, class Layout>
void launchLayout(const Exec& exec, ChainArguments args, const OctChainDevice& device) {
    constexpr int kWarps = warpsPerPair(Grid);
    args.stride = rowStride(args.shape.tapGroups, args.shape.movingWindow > 0);
    args.pairPlaces = pairPlaces(args.shape);
    int warps = warpsPerBlock(args.shape, device.sharedBytes);
    if (warps == 0) {
        throw Error("The fused OCT kernel needs more shared memory than this GPU has; take fewer "
                    "taps in 'k_linearize'.");
    }
    const std::size_t tables =
        kTablesMayFit<Grid> ? LocalTables<Grid, true, Layout::kComplexWeights>::bytes(args.shape)
                            : 0;
    const auto bytesOf = [&args](int ofWarps) {
        return static_cast<std::size_t>(args.pairPlaces) * sizeof(Complex) *
               static_cast<std::size_t>(ofWarps / kWarps);
    };
    if (mayKeepCodes(args.shape)) {
        // Fewer warps are worth it, as long as the tables still fit.
        const int kept = warps / 2 / kWarps * kWarps;
        const int lineAndExchange = std::exchange(args.pairPlaces, keptPlaces(args.shape));
        if (kept > 0 && bytesOf(kept) + tables <= device.sharedBytes) {
            args.codesAt = linePlaces(args.shape);
            while (warps > kept && bytesOf(warps) + tables > device.sharedBytes) warps -= kWarps;
        } else {
            args.pairPlaces = lineAndExchange;
        }
    }
    if constexpr (kTablesMayFit<Grid>) {
        const std::size_t all = bytesOf(warps) + tables;
        if (all <= device.sharedBytes) {
            return launch<Grid, kFullRange, kLinear, true, Layout>(exec, args, device, warps, all);
        }
    }
    launch<Grid, kFullRange, kLinear, false, Layout>(exec, args, device, warps, bytesOf(warps));
}

template <int Grid, bool kFullRange, bool kLinear>
void launchGrid(const Exec& exec, const ChainArguments& args, const OctChainDevice& device) {
    if (args.shape.turned) {
        launchLayout<Grid, kFullRange, kLinear, Turned<Grid>>(exec, args, device);
    } else if (args.shape.type == DType::F32 || args.shape.movingWindow > 0) {
        launchLayout<Grid, kFullRange, kLinear, FloatPairs>(exec, args, device);
    } else {
        launchLayout<Grid, kFullRange, kLinear, CodePairs>(exec, args, device);
    }
}

/// Calls `each` with the grid as a template argument.
template <class Each> void withGrid(int grid, const Each& each) {
    const auto tryAll = [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        return ((grid == oct::kKernelGrids[kIndex] &&
                 (each.template operator()<oct::kKernelGrids[kIndex]>(), true)) ||
                ...);
    };
    if (!tryAll(std::make_index_sequence<oct::kKernelGrids.size()>()))
        throw Error("The fused OCT kernel does not take a grid of this size.");
}

template <bool kFullRange, bool kLinear>
void allowOctKernels(int grid, const OctChainDevice& device) {
    withGrid(grid, [&]<int Grid>() { allowGrid<Grid, kFullRange, kLinear>(device); });
}

template <bool kFullRange, bool kLinear>
void runOctKernel(const Exec& exec, const OctChainShape& shape, const OctChainTables& tables,
                  const OctChainPixels& pixels, const OctChainDevice& device) {
    const ChainArguments args{shape, tables, pixels, 0, 0, 0};
    withGrid(shape.grid,
             [&]<int Grid>() { launchGrid<Grid, kFullRange, kLinear>(exec, args, device); });
}

} // namespace echolux::fused

#else

#include <stdexcept>

namespace echolux::fused {
template <bool kFullRange, bool kLinear> void allowOctKernels(int, const OctChainDevice&) {
    throw std::logic_error("allowOctKernels: built without CUDA");
}
template <bool kFullRange, bool kLinear>
void runOctKernel(const Exec&, const OctChainShape&, const OctChainTables&, const OctChainPixels&,
                  const OctChainDevice&) {
    throw std::logic_error("runOctKernel: built without CUDA");
}
} // namespace echolux::fused

#endif
