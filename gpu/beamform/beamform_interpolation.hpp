// SPDX-License-Identifier: GPL-3.0-or-later
// How `beamform` reads a line between its samples, for host and device (Gronvold 2008, section
// 2.6). With a = the fractional sample that is read, T taps from sample f on, u = a - f:
//   nearest        x[floor(a + 1/2)]
//   linear         (1 - u) x[f] + u x[f + 1]
//   texture        linear, a rounded to 1/256 of a sample, as CUDA's texture units do
//   Lagrange       T = order + 1, h[n] = prod_{k != n} (u - k) / (n - k)
//   sinc           h[n] = sinc(u - n), cut off without a taper
//   least squares  h from a table, a rounded to 1/128 of a sample: FractionalDelay
// Even T: f = floor(a) - T/2 + 1, as many samples before as behind; odd T: f = floor(a + 1/2) -
// (T - 1)/2, round the nearest sample.
#pragma once

#include "gpu/beamform/beamform_params.hpp"
#include "gpu/beamform/beamform_phasor.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/core/portable.hpp"
#include "gpu/core/unroll.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::das {

constexpr int kMaxTaps = 16;
// The defaults, which have code of their own.
constexpr int kUsualOrder = 3;
constexpr int kUsualTaps = 8;
constexpr int kReadPositions = 128; ///< positions per sample in the least-squares table

/// Data for reading between samples. The table is in compute memory.
struct LineReading {
    std::int32_t samples = 0; ///< samples of a line
    DelayInterpolation interpolation = DelayInterpolation::Linear;
    std::int32_t lagrangeOrder = kUsualOrder;
    std::int32_t sincTaps = kUsualTaps;
    std::int32_t leastSquaresTaps = 8;
    const float* readTable = nullptr; ///< least squares: [kReadPositions + 1][leastSquaresTaps]
    std::uint64_t texture = 0;        ///< on CUDA the texture object of a frame
};

/// Sample n of a line; 0 outside the record. kInside: n is known to be inside.
template <class Sample, bool kInside>
ECHOLUX_HD inline Sample sampleAt(const Sample* line, std::int32_t samples, std::int32_t n) {
    if constexpr (kInside) return line[n];
    const bool inside = n >= 0 && n < samples;
    const Sample value = line[inside ? n : 0];
    return inside ? value : Sample{};
}

ECHOLUX_HD inline float addScaled(float weight, float value, float sum) {
    return std::fma(weight, value, sum);
}
ECHOLUX_HD inline Complex addScaled(float weight, Complex value, Complex sum) {
    return {std::fma(weight, value.re, sum.re), std::fma(weight, value.im, sum.im)};
}

/// Coefficient of tap j of a Lagrange interpolator of `order`, for reading at `u`, counted from tap
/// 0.
ECHOLUX_HD inline float lagrangeWeight(int order, int j, float u) {
    float product = 1.0F;
    float scale = 1.0F;
    ECHOLUX_UNROLL_KNOWN
    for (int m = 0; m <= order; ++m) {
        product *= m != j ? u - static_cast<float>(m) : 1.0F;
        scale *= m != j ? static_cast<float>(j - m) : 1.0F;
    }
    return product * (1.0F / scale);
}

/// The sample that `taps` taps are centred on. (taps - 1) / 2 taps lie before it.
ECHOLUX_HD inline float middleOf(int taps, float at) {
    return std::floor(taps % 2 == 0 ? at : at + 0.5F);
}

template <class Sample, bool kInside>
ECHOLUX_HD inline Sample readLinear(const LineReading& k, const Sample* line, float at) {
    const float whole = std::floor(at);
    const auto n = static_cast<std::int32_t>(whole);
    const float f = at - whole;
    return addScaled(f, sampleAt<Sample, kInside>(line, k.samples, n + 1),
                     (1.0F - f) * sampleAt<Sample, kInside>(line, k.samples, n));
}

/// Lagrange interpolation of order 3 over x[0] to x[3], at u counted from x[0].
template <class Sample>
ECHOLUX_HD inline Sample cubicThrough(Sample x0, Sample x1, Sample x2, Sample x3, float u) {
    const float t1 = u - 1.0F;
    const float t2 = u - 2.0F;
    const float t3 = u - 3.0F;
    const Sample left = addScaled(0.5F * u, x1, (t1 * (-1.0F / 6.0F)) * x0);
    const Sample right = addScaled(t2 * (1.0F / 6.0F), x3, (-0.5F * t3) * x2);
    return addScaled(t2 * t3, left, (u * t1) * right);
}

/// kOrder: the order where the compiler knows it, else 0.
template <class Sample, bool kInside, int kOrder = 0>
ECHOLUX_HD inline Sample readLagrange(const LineReading& k, const Sample* line, float at) {
    const int order = kOrder > 0 ? kOrder : k.lagrangeOrder;
    const auto first = static_cast<std::int32_t>(middleOf(order + 1, at)) - order / 2;
    const float u = at - static_cast<float>(first);
    const auto sample = [&](int n) {
        return sampleAt<Sample, kInside>(line, k.samples, first + n);
    };
    if constexpr (kOrder == 3) return cubicThrough(sample(0), sample(1), sample(2), sample(3), u);
    Sample sum{};
    ECHOLUX_UNROLL_KNOWN
    for (int j = 0; j <= order; ++j) sum = addScaled(lagrangeWeight(order, j, u), sample(j), sum);
    return sum;
}

/// 1 / x; on CUDA without the steps that round correctly.
ECHOLUX_HD inline float reciprocal(float x) {
#if defined(__CUDA_ARCH__)
    float y = 0.0F;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return 1.0F / x;
#endif
}

/// sin(pi x) / pi for |x| <= 1/2, with a relative error below 2e-7 (a polynomial of least error).
ECHOLUX_HD inline float sineOverPi(float x) {
    const float s = x * x;
    const float inner = fused(s, fused(s, 0.02472503F, -0.19044738F), 0.81171641F);
    return x * fused(s, fused(s, inner, -1.64493336F), 1.0F);
}

/// Two taps at a time share one division. x[n] are the samples counted from the middle m, f = a -
/// m. As sinc(f - n) = (-1)^n sin(pi f) / (pi (f - n)), the sum is sin(pi f) / pi times the sum of
///   even T: (-1)^p ((p + 1 - f) x[-p] + (p + f) x[p + 1]) / (f (1 - f) + p (p + 1)), p >= 0,
///   odd T:  x[0] / f and (-1)^p ((p - f) x[-p] - (p + f) x[p]) / ((p - f) (p + f)), p >= 1.
/// kTaps: the number of taps where the compiler knows it, else 0.
template <class Sample, bool kInside, int kTaps = 0>
ECHOLUX_HD inline Sample readSinc(const LineReading& k, const Sample* line, float at) {
    constexpr float kLeastOffset = 1e-15F; // stands for 0, where a quotient would be 0 / 0
    const int taps = kTaps > 0 ? kTaps : k.sincTaps;
    const bool even = taps % 2 == 0;
    const float middle = middleOf(taps, at);
    const auto first = static_cast<std::int32_t>(middle);
    const float offset = at - middle;
    const float f = std::fabs(offset) < kLeastOffset ? kLeastOffset : offset;
    const auto sample = [&](int n) {
        return sampleAt<Sample, kInside>(line, k.samples, first + n);
    };
    Sample sum = even ? Sample{} : reciprocal(f) * sample(0);
    ECHOLUX_UNROLL_KNOWN
    for (int pair = 0; pair < taps / 2; ++pair) {
        const int p = even ? pair : pair + 1;
        const auto distance = static_cast<float>(p);
        const float before = even ? distance + 1.0F - f : distance - f;
        const float behind = distance + f;
        const float under =
            even ? std::fma(f, 1.0F - f, distance * (distance + 1.0F)) : before * behind;
        const Sample terms = even ? addScaled(behind, sample(p + 1), before * sample(-p))
                                  : addScaled(-behind, sample(p), before * sample(-p));
        sum = addScaled(p % 2 == 0 ? reciprocal(under) : -reciprocal(under), terms, sum);
    }
    return sineOverPi(even && f > 0.5F ? 1.0F - f : f) * sum;
}

template <class Sample, bool kInside>
ECHOLUX_HD inline Sample readLeastSquares(const LineReading& k, const Sample* line, float at) {
    const int taps = k.leastSquaresTaps;
    const float middle = middleOf(taps, at);
    const auto first = static_cast<std::int32_t>(middle) - (taps - 1) / 2;
    const float lowest = taps % 2 == 0 ? 0.0F : -0.5F; // least value of at - middle
    const auto row =
        static_cast<std::int32_t>(std::fma(at - middle - lowest, kReadPositions, 0.5F));
    const float* weight = k.readTable + static_cast<std::int64_t>(row) * taps;
    Sample sum{};
    for (int j = 0; j < taps; ++j)
        sum = addScaled(weight[j], sampleAt<Sample, kInside>(line, k.samples, first + j), sum);
    return sum;
}

/// The line at the fractional sample `index`. kInside: all taps are known to be inside the record.
template <class Sample, DelayInterpolation kKind, bool kInside = false>
ECHOLUX_HD inline Sample interpolate(const LineReading& k, const Sample* line, float index) {
    // Limits positions far outside, so that the conversion to integers is defined. NaN is limited
    // as well.
    const float highest = static_cast<float>(k.samples + kMaxTaps);
    const float low = index > -static_cast<float>(kMaxTaps) ? index : -static_cast<float>(kMaxTaps);
    const float at = kInside ? index : low < highest ? low : highest;
    if constexpr (kKind == DelayInterpolation::Nearest) {
        return sampleAt<Sample, kInside>(line, k.samples,
                                         static_cast<std::int32_t>(std::floor(at + 0.5F)));
    } else if constexpr (kKind == DelayInterpolation::Linear) {
        return readLinear<Sample, kInside>(k, line, at);
    } else if constexpr (kKind == DelayInterpolation::Texture) {
        const float rounded = std::floor(std::fma(at, 256.0F, 0.5F)) * (1.0F / 256.0F);
        return readLinear<Sample, kInside>(k, line, rounded);
    } else if constexpr (kKind == DelayInterpolation::Lagrange) {
        if (k.lagrangeOrder == kUsualOrder)
            return readLagrange<Sample, kInside, kUsualOrder>(k, line, at);
        return readLagrange<Sample, kInside>(k, line, at);
    } else if constexpr (kKind == DelayInterpolation::Sinc) {
#if defined(__CUDA_ARCH__)
        if (k.sincTaps == kUsualTaps) return readSinc<Sample, kInside, kUsualTaps>(k, line, at);
#endif
        return readSinc<Sample, kInside>(k, line, at);
    } else {
        return readLeastSquares<Sample, kInside>(k, line, at);
    }
}

/// Reads a texture between samples; 0 outside the record. Coordinates of a texture count from the
/// edge of a sample, half a sample before its middle.
#if defined(__CUDA_ARCH__)
template <class Sample>
__device__ inline Sample textureAt(std::uint64_t texture, std::int64_t line, float index) {
    const float y = static_cast<float>(line) + 0.5F;
    if constexpr (sizeof(Sample) == sizeof(Complex)) {
        const float2 value = tex2D<float2>(texture, index + 0.5F, y);
        return {value.x, value.y};
    } else {
        return tex2D<float>(texture, index + 0.5F, y);
    }
}
#endif

/// Line number `line` of a frame at the fractional sample `index`. On a GPU the kind Texture reads
/// it from a texture.
template <class Sample, DelayInterpolation kKind> ECHOLUX_HD inline Sample
readLine(const LineReading& k, const Sample* frame, std::int64_t line, float index) {
#if defined(__CUDA_ARCH__)
    if constexpr (kKind == DelayInterpolation::Texture)
        return textureAt<Sample>(k.texture, line, index);
#endif
    return interpolate<Sample, kKind>(k, frame + line * k.samples, index);
}

} // namespace echolux::das
