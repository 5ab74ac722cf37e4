// SPDX-License-Identifier: GPL-3.0-or-later
// Marks functions that nvcc inlines and loops that it unrolls, so that small arrays stay in
// registers. The host's compiler decides by itself.
#pragma once

#if defined(__CUDACC__)
#define ECHOLUX_HD_INLINE __host__ __device__ __forceinline__
#else
#define ECHOLUX_HD_INLINE inline
#endif

#if defined(__CUDA_ARCH__)
#define ECHOLUX_UNROLL _Pragma("unroll")
#define ECHOLUX_UNROLL_BY_2 _Pragma("unroll 2")
#define ECHOLUX_UNROLL_BY_4 _Pragma("unroll 4")
#define ECHOLUX_UNROLL_BY_16 _Pragma("unroll 16")
#else
#define ECHOLUX_UNROLL
#define ECHOLUX_UNROLL_BY_2
#define ECHOLUX_UNROLL_BY_4
#define ECHOLUX_UNROLL_BY_16
#endif

// Stands before a loop whose number of turns the compiler knows, after inlining at the latest. g++
// unrolls it, and then vectorises the loop around it; nvcc computes what the turn's number
// determines.
#if defined(__CUDA_ARCH__)
#define ECHOLUX_UNROLL_KNOWN _Pragma("unroll")
#elif defined(__GNUC__) && !defined(__CUDACC__)
#define ECHOLUX_UNROLL_KNOWN _Pragma("GCC unroll 16")
#else
#define ECHOLUX_UNROLL_KNOWN
#endif
