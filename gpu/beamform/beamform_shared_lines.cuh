// SPDX-License-Identifier: GPL-3.0-or-later
// Windows of records in shared memory, and how the tuned kernels read them. A window holds a
// straight line per whole index: value = intercept + slope * index.
#pragma once

#include "gpu/beamform/beamform_tuned.cuh"

#if defined(__CUDACC__)

namespace echolux::das {

template <class Sample> struct alignas(2 * sizeof(Sample)) Line {
    Sample intercept;
    Sample slope;
};
template <class Sample> constexpr bool kIsComplex = sizeof(Sample) == sizeof(Complex);
template <class Sample> constexpr unsigned kLineLog2 = kIsComplex<Sample> ? 4 : 3;
static_assert(sizeof(Line<float>) == 1U << kLineLog2<float>);
static_assert(sizeof(Line<Complex>) == 1U << kLineLog2<Complex>);

/// Address in shared memory of the line of a whole index. The argument is 2^23 + index, a float
/// with the index in its low bits. `windows` is the address of the windows minus the contribution
/// of the bits of 2^23.
/// NOTE: written as assembly, so that it stays one instruction. The compiler moves parts of
/// `windows` under the shift, and then each point takes three.
template <class Sample> __device__ unsigned sharedAddress(unsigned windows, float shifted) {
    unsigned address = 0;
    asm("{ .reg .u32 bytes; shl.b32 bytes, %1, %3; add.u32 %0, bytes, %2; }"
        : "=r"(address)
        : "r"(__float_as_uint(shifted)), "r"(windows), "n"(kLineLog2<Sample>));
    return address;
}

/// The line at an address plus `beyond` bytes.
template <class Sample> __device__ Line<Sample> sharedLine(unsigned address, int beyond = 0) {
    Line<Sample> line;
    if constexpr (kIsComplex<Sample>) {
        asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(line.intercept.re), "=f"(line.intercept.im), "=f"(line.slope.re),
                       "=f"(line.slope.im)
                     : "r"(address + static_cast<unsigned>(beyond)));
    } else {
        asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];"
                     : "=f"(line.intercept), "=f"(line.slope)
                     : "r"(address + static_cast<unsigned>(beyond)));
    }
    return line;
}

/// Loads a sample from device memory that is not written meanwhile.
__device__ inline float loaded(const float* from) { return __ldg(from); }
__device__ inline Complex loaded(const Complex* from) {
    const float2 value = __ldg(reinterpret_cast<const float2*>(from));
    return {value.x, value.y};
}

/// The line through samples n and n + 1 of a window.
__device__ inline Line<float> lineThrough(float n, float here, float next) {
    const float slope = next - here;
    return {fmaf(-n, slope, here), slope};
}
__device__ inline Line<Complex> lineThrough(float n, Complex here, Complex next) {
    const Line<float> re = lineThrough(n, here.re, next.re);
    const Line<float> im = lineThrough(n, here.im, next.im);
    return {{re.intercept, im.intercept}, {re.slope, im.slope}};
}

__device__ inline float valueAt(const Line<float>& line, float index) {
    return fmaf(index, line.slope, line.intercept);
}
__device__ inline Complex valueAt(const Line<Complex>& line, float index) {
    return {fmaf(index, line.slope.re, line.intercept.re),
            fmaf(index, line.slope.im, line.intercept.im)};
}

/// `to` += value * phasor.
__device__ inline void addTurned(Complex& to, Complex value, float2 phasor) {
    to.re = fmaf(value.re, phasor.x, fmaf(-value.im, phasor.y, to.re));
    to.im = fmaf(value.re, phasor.y, fmaf(value.im, phasor.x, to.im));
}

} // namespace echolux::das

#endif
