// SPDX-License-Identifier: GPL-3.0-or-later
// The ultrasound front end in one kernel: codes are read once, filtered samples are written once.
// front_end_block.hpp holds the work of the threads; this file holds the barriers between.
// A block has as many warps as a pair of lines has pieces. So all warps read before one writes, and
// the filtered line overwrites the codes. Many small blocks share a multiprocessor: while some
// load, others compute.
#include "gpu/fused/front_end_kernel.hpp"

#include "gpu/core/error.hpp"

#include <stdexcept>

#if defined(__CUDACC__)

#include "gpu/fused/front_end_block.hpp"

#include <cuda_runtime.h>

namespace echolux::fused {
namespace {

__device__ __forceinline__ double sumOfWarp(double value) {
#pragma unroll
    for (int step = kLanes / 2; step > 0; step /= 2)
        value += __shfl_xor_sync(0xFFFFFFFFU, value, step);
    return value;
}

__device__ __forceinline__ void transformWarp(Complex (&v)[kFilterPerThread], float* exchange,
                                              const Complex* passTwiddle, int lane) {
    turnedPass(v, passTwiddle, lane, [&](int k, Complex value) { v[k] = value; });
    __syncwarp();
    writePart<&Complex::re>(v, exchange, lane);
    __syncwarp();
    readPart<&Complex::re>(v, exchange, lane);
    __syncwarp();
    writePart<&Complex::im>(v, exchange, lane);
    __syncwarp();
    readPart<&Complex::im>(v, exchange, lane);
    RegisterFft<kFilterPerThread>::run(v);
}

__device__ __forceinline__ void filterPiece(const FrontArguments& args, const FrontBlock& block,
                                            int warp, int lane) {
    const LineMeans means = lineMeans(args, block);
    const int thread = warp * kLanes + lane;
    const auto fill = [&](float value) {
        __syncthreads();
        fillLost(args, block, means, value, thread, static_cast<int>(blockDim.x));
        __syncthreads();
    };
    if (anyLost(means)) fill(0.0F);
    float* exchange = block.exchangeOf(args.shape, warp);
    Complex v[kFilterPerThread];
    readPiece(args, block, means, warp, lane, v);
    __syncthreads();
    transformWarp(v, exchange, args.tables.passTwiddle, lane);
    filterPoints(args.tables.spectrum, lane, v);
    transformWarp(v, exchange, args.tables.returnTwiddle, lane);
    writePiece(args, block, warp, lane, v);
    if (anyLost(means)) fill(nanf(""));
}

template <bool kFilters, FrontTail kTail, int kDecimation>
__global__ void __launch_bounds__(kMostFrontWarps* kLanes)
    frontEnd(const __grid_constant__ FrontArguments args) {
    extern __shared__ float4 sharedMemory[];
    const FrontBlock block(args, reinterpret_cast<float*>(sharedMemory), blockIdx.x);
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const int warp = thread / kLanes;
    const int lane = thread % kLanes;
    const LineSums mine = loadLines(args, block, thread, threads);
    if (args.shape.subtractsMean) {
        const LineSums sums = {sumOfWarp(mine.a), sumOfWarp(mine.b)};
        if (lane == 0) block.sums[warp] = sums;
    }
    __syncthreads();
    if constexpr (kFilters) {
        filterPiece(args, block, warp, lane);
    } else {
        scaleLines(args, block, thread, threads);
    }
    __syncthreads();
    if constexpr (kTail == FrontTail::None) {
        writeReal(args, block, thread, threads);
    } else {
        constexpr int kAtOnce = kTail == FrontTail::Analytic ? kAnalyticAtOnce : kMixedAtOnce;
        const FrontItems items(args.shape.outputs, kAtOnce, block);
        float* staged = block.exchangeOf(args.shape, warp);
        for (int item = warp; item < items.count; item += threads / kLanes) {
            const float* line = block.line(items.line(item));
            const std::int64_t index = block.first + items.line(item);
            const int run = items.run(item);
            if constexpr (kTail == FrontTail::Analytic) {
                transformEight(args, line, staged, run, lane);
                __syncwarp();
                writeAnalytic(args, line, staged, index, run, lane);
            } else {
                mixFour<kDecimation>(args, block, line, staged, run, lane);
                __syncwarp();
                writeMixed(args, staged, index, run, lane);
            }
            __syncwarp();
        }
    }
}

using Kernel = void (*)(FrontArguments);

template <bool kFilters> Kernel kernelFor(FrontTail tail, int decimation) {
    if (tail == FrontTail::None) return frontEnd<kFilters, FrontTail::None, 1>;
    if (tail == FrontTail::Analytic) return frontEnd<kFilters, FrontTail::Analytic, 1>;
    switch (decimation) {
    case 1: return frontEnd<kFilters, FrontTail::Demodulate, 1>;
    case 2: return frontEnd<kFilters, FrontTail::Demodulate, 2>;
    case 3: return frontEnd<kFilters, FrontTail::Demodulate, 3>;
    case 4: return frontEnd<kFilters, FrontTail::Demodulate, 4>;
    default: throw Error("The fused ultrasound front end decimates by 1 to 4.");
    }
}

Kernel kernelFor(bool filters, FrontTail tail, int decimation) {
    return filters ? kernelFor<true>(tail, decimation) : kernelFor<false>(tail, decimation);
}

} // namespace

void allowFrontEnd(std::size_t sharedBytes) {
    const auto allow = [&](Kernel kernel) {
        // Blocks are many and small, so the largest part of the cache becomes shared memory.
        if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(sharedBytes)) == cudaSuccess &&
            cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                 cudaSharedmemCarveoutMaxShared) == cudaSuccess)
            return;
        cudaGetLastError(); // reported here, not again by the next check
        throw Error("The fused ultrasound front end cannot have the shared memory of this GPU; "
                    "update its driver, or use the CPU backend.");
    };
    for (const bool filters : {false, true}) {
        allow(kernelFor(filters, FrontTail::None, 1));
        allow(kernelFor(filters, FrontTail::Analytic, 1));
        for (int decimation = 1; decimation <= kMostFrontDecimation; ++decimation)
            allow(kernelFor(filters, FrontTail::Demodulate, decimation));
    }
}

void runFrontEnd(const Exec& exec, const FrontArguments& arguments) {
    const FrontShape& shape = arguments.shape;
    const auto blocks = static_cast<unsigned>((arguments.lines.lines + 1) / 2);
    const Kernel kernel = kernelFor(shape.filters, shape.tail, shape.decimation);
    kernel<<<blocks, static_cast<unsigned>(shape.warps() * kLanes), frontSharedBytes(shape),
             static_cast<cudaStream_t>(exec.stream)>>>(arguments);
    device::checkLaunch("front_end");
}

} // namespace echolux::fused

#else

namespace echolux::fused {
void allowFrontEnd(std::size_t) { throw std::logic_error("allowFrontEnd: built without CUDA"); }
void runFrontEnd(const Exec&, const FrontArguments&) {
    throw std::logic_error("runFrontEnd: built without CUDA");
}
} // namespace echolux::fused

#endif
