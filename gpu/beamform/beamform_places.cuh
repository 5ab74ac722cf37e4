// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the tuned kernels for pixels anywhere: the data of an element for a thread, its
// distance and weight, taps of a record.
#pragma once

#include "gpu/beamform/beamform_tuned.cuh"

#if defined(__CUDACC__)

namespace echolux::das {

/// Data of an element besides its place, where elements have faces or weights.
struct alignas(16) SlotFace {
    float normalX, normalY, normalZ;
    float weight; ///< see wholeWeight()
    float countsX, countsY;
    float record; ///< weight of its record, where records have weights
    float unused;
};
static_assert(sizeof(SlotFace) == 32);

/// Weight of an element in the window over the whole array; 1 with an f-number. `any` may be any
/// place.
__device__ inline float wholeWeight(const Constants& k, int e, const Place& any) {
    return k.apertureSlope > 0.0F ? 1.0F : apodization(k, e, any);
}

/// `any` may be any place.
__device__ inline SlotFace faceOf(const Constants& k, int e, const Place& any) {
    const Face face = k.face != nullptr ? k.face[e] : Face{};
    return {face.normalX, face.normalY, face.normalZ, wholeWeight(k, e, any),
            face.countsX, face.countsY, 1.0F,         0.0F};
}

/// windowAt() with the fast cosine; 0 outside.
__device__ inline float weightWithin(const Constants& k, float distance, float half) {
    const float within = distance <= half ? 1.0F : 0.0F;
    if (k.window == ApodizationWindow::Rectangular) return within;
    return within * fastWindow(k, half > 0.0F ? fminf(distance / half, 1.0F) : 0.0F);
}

/// Only the threads of the first warp may call it. Computes number = numberOf(e) of each element e
/// in increasing order. Where it is not negative, calls put(at, e, number) with at = 0, 1, ...
/// Returns the number of these calls.
template <class NumberOf, class Put>
__device__ int listByWarp(int elements, NumberOf numberOf, Put put) {
    const int lane = static_cast<int>(threadIdx.x);
    int count = 0;
    for (int base = 0; base < elements; base += 32) {
        const int e = base + lane;
        const std::int32_t number = e < elements ? numberOf(e) : -1;
        const unsigned mask = __ballot_sync(0xFFFFFFFFU, number >= 0);
        if (number >= 0) put(count + __popc(mask & ((1U << lane) - 1U)), e, number);
        count += __popc(mask);
    }
    return count;
}

/// The way from an element to a pixel.
struct Way {
    float distance;
    float weight;

    /// Computes the weight of apodization() as well.
    __device__ Way(const Constants& k, const Place& p, float x, float y, float z,
                   const SlotFace& face) {
        const float dx = (p.x - x) * face.countsX;
        const float dy = (p.y - y) * face.countsY;
        const float dz = p.z - z;
        distance = fastSqrt(fmaf(dy, dy, fmaf(dx, dx, dz * dz)));
        weight = face.weight;
        if (k.apertureSlope == 0.0F) return;
        if (k.beamAperture) {
            weight = weightWithin(k, fabsf(x - p.beamX), k.apertureSlope * p.range);
            return;
        }
        const float depth = fmaf(dz, face.normalZ, fmaf(dx, face.normalX, dy * face.normalY));
        const float acrossX = fmaf(-dx, face.normalZ, dz * face.normalX);
        const float acrossY = fmaf(-dy, face.normalZ, dz * face.normalY);
        const float acrossZ = fmaf(-dx, face.normalY, dy * face.normalX);
        const float aside =
            fastSqrt(fmaf(acrossZ, acrossZ, fmaf(acrossX, acrossX, acrossY * acrossY)));
        weight = weightWithin(k, aside, k.apertureSlope * depth);
    }
};

/// kInside: all taps are inside the record.
template <class Sample, bool kInside>
__device__ Sample readTaps(const Constants& k, const Sample* record, float index) {
    using Kind = DelayInterpolation;
    switch (k.interpolation) {
    case Kind::Nearest: return interpolate<Sample, Kind::Nearest, kInside>(k, record, index);
    case Kind::Lagrange: return interpolate<Sample, Kind::Lagrange, kInside>(k, record, index);
    case Kind::Sinc: return interpolate<Sample, Kind::Sinc, kInside>(k, record, index);
    case Kind::LeastSquares:
        return interpolate<Sample, Kind::LeastSquares, kInside>(k, record, index);
    default: return interpolate<Sample, Kind::Linear, kInside>(k, record, index);
    }
}

/// The weighted sum over elements for one transmit and one pixel.
template <class Sample, bool kWeighed> struct Sum {
    Sample sum{};

    __device__ void weigh(float, Sample) {}
    __device__ PixelSum<Sample> pixel() const { return {sum}; }
};
template <class Sample> struct Sum<Sample, true> {
    Sample sum{};
    float power = 0.0F;
    float weight = 0.0F;

    __device__ void weigh(float by, Sample value) {
        power = fmaf(by, das::power(value), power);
        weight += by;
    }
    __device__ PixelSum<Sample> pixel() const { return {sum, power, weight}; }
};

} // namespace echolux::das

#endif
