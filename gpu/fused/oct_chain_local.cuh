// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the kernel of the OCT chain, and its tables in shared memory.
#pragma once

#include "gpu/fused/oct_chain_kernel.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux::fused {

struct ChainArguments {
    OctChainShape shape;
    OctChainTables tables;
    OctChainPixels pixels;
    int pairPlaces; ///< pairPlaces(), or keptPlaces()
    int stride;     ///< rowStride()
    int codesAt;    ///< place of the codes, counted in 8 bytes; 0: codes are not kept
};

/// Tables that every pair of lines needs. They are copied to shared memory where they fit, else
/// read through the cache. NOTE: which ones are copied is known to the compiler, or it takes slower
/// loads.
template <int Grid, bool kShared, bool kComplexWeights> struct LocalTables {
    const float4* weights;
    const Complex* factor;
    const Complex* passTwiddle;
    const Complex* warpTwiddle;
    const Complex* subtract;
    const float* offsetDb;
    const std::uint16_t* firstTap;

    static std::size_t bytes(const OctChainShape& shape) {
        return Grid * (sizeof(float4) * static_cast<std::size_t>(weightGroups(shape)) +
                       (kComplexWeights ? 0 : sizeof(Complex)) + sizeof(std::uint16_t)) +
               (passTwiddles(Grid) + warpTwiddles(Grid)) * sizeof(Complex) +
               static_cast<std::size_t>(depthPlaces(shape)) * (sizeof(Complex) + sizeof(float));
    }

    __device__ LocalTables(const ChainArguments& args, unsigned char* memory)
        : weights(reinterpret_cast<const float4*>(args.tables.weights)), factor(args.tables.factor),
          passTwiddle(args.tables.passTwiddle), warpTwiddle(args.tables.warpTwiddle),
          subtract(args.tables.subtract), offsetDb(args.tables.offsetDb),
          firstTap(args.tables.firstTap) {
        if constexpr (kShared) {
            const int depths = args.shape.depths;
            const int places = depthPlaces(args.shape);
            const int taps = Grid * args.shape.tapGroups * (kComplexWeights ? 2 : 1);
            weights = copied(weights, taps, taps, memory);
            if constexpr (!kComplexWeights) factor = copied(factor, Grid, Grid, memory);
            passTwiddle = copied(passTwiddle, passTwiddles(Grid), passTwiddles(Grid), memory);
            warpTwiddle = copied(warpTwiddle, warpTwiddles(Grid), warpTwiddles(Grid), memory);
            if (subtract != nullptr) subtract = copied(subtract, depths, places, memory);
            if (offsetDb != nullptr) offsetDb = copied(offsetDb, depths, places, memory);
            firstTap = copied(firstTap, Grid, Grid, memory);
            __syncthreads();
        }
    }

private:
    template <class T>
    __device__ static const T* copied(const T* from, int count, int room, unsigned char*& memory) {
        T* to = reinterpret_cast<T*>(memory);
        for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
            to[i] = from[i];
        }
        memory += static_cast<std::size_t>(room) * sizeof(T);
        return to;
    }
};

} // namespace echolux::fused
