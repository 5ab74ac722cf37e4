// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the tuned kernels: their arguments, fast forms of the formulas, the index trick.
#pragma once

#include "gpu/beamform/beamform_tuned.hpp"

namespace echolux::das {

constexpr float kTwoTo23 = 8388608.0F;
constexpr unsigned kTwoTo23Bits = 0x4B000000U;

struct TunedArguments {
    Grid grid;
    int elements = 0;
    int transmits = 0;
    int tiles = 0;
    int pitch = 0;
    float front = 0.0F;
    float lastIndex = 0.0F; ///< greatest index after clamping
    float indexPerMetre = 0.0F;
    float cyclesPerSample = 0.0F;
    float apertureSlope = 0.0F;
    float arrayCentre = 0.0F;
    float arrayHalfWidth = 0.0F;
    ApodizationWindow window = ApodizationWindow::Rectangular;
    float tukeyAlpha = 0.0F;
    int lanesAcrossLog2 = 4;
    int split = 1;
    int frames = 1;
    int samples = 0;
    const float* receiveWeight = nullptr;
    const Element* element = nullptr;
    const TransmitConstants* transmit = nullptr;
    const void* packed = nullptr;
    void* image = nullptr;
    /// 2^23 + i * pitch. Adding it to an index below 2^23 - i * pitch, rounding down, gives a float
    /// whose low bits are the whole part of the index plus the offset of the tile's i-th row.
    float rowMagic[kMaxTile + 1] = {};
};

TunedArguments tunedArguments(const Constants& constants, const TunedLayout& layout,
                              const void* packed, void* image);

void packEnsemble(const Exec& exec, const Constants& constants, const TunedLayout& layout,
                  const void* samples, void* packed);
void sumEnsemble(const Exec& exec, const Constants& constants, const TunedLayout& layout,
                 const void* packed, void* image);

void sumWindowed(const Exec& exec, const Constants& constants, const TunedLayout& layout,
                 const void* samples, void* image);

#if defined(__CUDACC__)

/// sqrt with a relative error below 2^-22.
__device__ inline float fastSqrt(float value) {
    float root = 0.0F;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(value));
    return root;
}

/// cos and sin of 2 pi turn, for |turn| <= 1/2.
__device__ inline float2 phasorWithin(float turn) {
    float2 phasor;
    __sincosf(turn * (2.0F * kPi), &phasor.y, &phasor.x);
    return phasor;
}

constexpr float kToWhole = 1.5F * kTwoTo23; ///< adding a number to it rounds the number

/// cos and sin of 2 pi cycles, |error| < 1e-6, for |cycles| < 2^22.
__device__ inline float2 fastPhasor(float cycles) {
    return phasorWithin(cycles - __fsub_rn(__fadd_rn(cycles, kToWhole), kToWhole));
}
/// The phasor of index * cyclesPerIndex cycles.
__device__ inline float2 fastPhasor(float index, float cyclesPerIndex) {
    const float whole = __fsub_rn(__fmaf_rn(index, cyclesPerIndex, kToWhole), kToWhole);
    return phasorWithin(fmaf(index, cyclesPerIndex, -whole));
}

/// windowAt() with the fast cosine and exponential, for 0 <= u <= 1; `a` has a window that is not
/// rectangular, and a member tukeyAlpha.
template <class Arguments> __device__ float fastWindow(const Arguments& a, float u) {
    if (a.window == ApodizationWindow::Gaussian) return __expf(-u * u);
    float offset = 0.5F;
    float along = u;
    if (a.window == ApodizationWindow::Hamming) offset = 0.54F;
    if (a.window == ApodizationWindow::Tukey) {
        along = a.tukeyAlpha > 0.0F ? fmaxf(0.0F, (u - 1.0F + a.tukeyAlpha) / a.tukeyAlpha) : 0.0F;
    }
    return fmaf(1.0F - offset, __cosf(kPi * along), offset);
}

/// The receive aperture of one pixel.
struct Aperture {
    float centre;
    float half;
    float perHalf;

    __device__ Aperture(const TunedArguments& a, float x, float depth) {
        const bool whole = a.apertureSlope == 0.0F;
        centre = whole ? a.arrayCentre : x;
        half = whole ? a.arrayHalfWidth : a.apertureSlope * depth;
        perHalf = half > 0.0F ? 1.0F / half : 0.0F;
    }

    /// Bounds with a margin for rounding. The test |element - centre| <= half decides alone which
    /// elements count, on the edge too, as in apodization().
    __device__ float lowest() const { return centre - half - margin(); }
    __device__ float highest() const { return centre + half + margin(); }
    __device__ float margin() const { return 1e-6F * (fabsf(centre) + half); }
};

/// First element within reach of a warp's pixels, and one past the last. Elements are in rising
/// order of x. A few more elements do no harm.
__device__ inline int2 elementsWithin(const TunedArguments& a, const float* elementX, float lowest,
                                      float highest) {
    int low = 0;
    int high = a.elements;
    for (int step = a.elements; step > 0; step >>= 1) {
        while (low + step <= a.elements && elementX[low + step - 1] < lowest) low += step;
        while (high - step >= low && elementX[high - step] > highest) high -= step;
    }
    return {low, high};
}

#endif

} // namespace echolux::das
