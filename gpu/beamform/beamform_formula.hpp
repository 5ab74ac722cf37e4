// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas of `beamform`, for host and device: delays, apodization, interpolation, phase. Every
// product-sum is an explicit fma, so that host and device round alike.
#pragma once

#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/core/portable.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>

// Before a loop over taps whose number a caller fixes: g++ unrolls it, and then a loop over pixels
// round it fills vectors.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define ECHOLUX_UNROLL_ON_HOST _Pragma("GCC unroll 16")
#else
#define ECHOLUX_UNROLL_ON_HOST
#endif

namespace echolux::das {

constexpr float kPi = 3.14159265358979F;
constexpr int kMaxTaps = 16;

/// Pixel (row, column) lies at (x0 + column dx, z0 + row dz), in m.
struct Grid {
    std::int32_t lateral = 0;
    std::int32_t depth = 0;
    float x0 = 0.0F;
    float dx = 0.0F;
    float z0 = 0.0F;
    float dz = 0.0F;

    ECHOLUX_HD float x(int column) const { return std::fma(static_cast<float>(column), dx, x0); }
    ECHOLUX_HD float z(int row) const { return std::fma(static_cast<float>(row), dz, z0); }
    ECHOLUX_HD std::int64_t pixels() const { return static_cast<std::int64_t>(lateral) * depth; }
};

struct Element {
    float x = 0.0F;
    float z = 0.0F;
};

/// Transmit path to a pixel p, in m. Plane: p.x sin a + p.z cos a. Otherwise, with source s:
/// pathOffset + |p - s|, where a focused wave counts |p - s| negative before its focus. The sample
/// index that belongs to it is path * indexPerMetre + indexOffset.
struct TransmitConstants {
    bool plane = true;
    bool focused = false;
    float sinA = 0.0F;
    float cosA = 1.0F;
    float sourceX = 0.0F;
    float sourceZ = 0.0F;
    float directionX = 0.0F; ///< unit vector from the origin to the focus
    float directionZ = 1.0F;
    float pathOffset = 0.0F;
    float indexOffset = 0.0F; ///< (t0 offset - time of sample 0) * fs
    float phaseCycles = 0.0F; ///< fd * (time of sample 0 - iqPhaseZero), whole cycles removed
    std::int32_t line = 0;    ///< which transmit of the frame
};

/// All that a beamformer needs besides samples and image. The arrays lie in compute memory.
struct Constants {
    Grid grid;
    std::int32_t transmitsInFrame = 0;
    std::int32_t transmits = 0; ///< switched on
    std::int32_t elements = 0;
    std::int32_t samples = 0;
    float indexPerMetre = 0.0F;   ///< fs / c
    float cyclesPerSample = 0.0F; ///< fd / fs; 0 for RF
    float apertureSlope = 0.0F;   ///< half aperture = slope * depth, slope = 1 / (2 F); 0 = all
    float arrayCentre = 0.0F;     ///< m; the window's centre where the slope is 0
    float arrayHalfWidth = 0.0F;  ///< m
    ApodizationWindow window = ApodizationWindow::Rectangular;
    float tukeyAlpha = 0.0F;
    DelayInterpolation interpolation = DelayInterpolation::Linear;
    std::int32_t lagrangeOrder = 3;
    std::int32_t sincTaps = 8;
    bool incoherent = false;
    bool coherenceFactor = false;
    const Element* element = nullptr;            ///< [elements]
    const TransmitConstants* transmit = nullptr; ///< [transmits]
    const float* receiveWeight = nullptr;        ///< [transmitsInFrame][elements], null: all 1
    const float* receiveTable = nullptr;  ///< [elements][pixels] receiveIndex, null: computed
    const float* transmitTable = nullptr; ///< [transmits][pixels] transmitIndex, null: computed
};

/// A product that is rounded by itself, never fused into a sum that follows.
ECHOLUX_HD inline float product(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}

ECHOLUX_HD inline float hypotenuse(float a, float b) { return std::sqrt(std::fma(a, a, b * b)); }

ECHOLUX_HD inline float transmitIndex(const TransmitConstants& t, float indexPerMetre, float x,
                                      float z) {
    float path = 0.0F;
    if (t.plane) {
        path = std::fma(z, t.cosA, x * t.sinA);
    } else {
        const float dx = x - t.sourceX;
        const float dz = z - t.sourceZ;
        const float distance = hypotenuse(dx, dz);
        const bool before = t.focused && std::fma(dx, t.directionX, dz * t.directionZ) < 0.0F;
        path = t.pathOffset + (before ? -distance : distance);
    }
    return std::fma(path, indexPerMetre, t.indexOffset);
}

ECHOLUX_HD inline float receiveIndex(const Element& e, float indexPerMetre, float x, float z) {
    return product(hypotenuse(x - e.x, z - e.z), indexPerMetre);
}

/// a b + c, for numbers and for vectors of them.
template <class A, class B, class C>
ECHOLUX_HD inline auto fused(const A& a, const B& b, const C& c) {
    if constexpr (std::is_same_v<A, float> && std::is_same_v<B, float>) {
        return std::fma(a, b, c);
    } else {
        return a * b + c;
    }
}

/// Taylor's series to the 9th power, for |angle| <= pi/4; `s` = angle squared.
template <class Value> ECHOLUX_HD inline Value sineNear0(const Value& angle, const Value& s) {
    return angle *
           fused(s,
                 fused(s, fused(s, fused(s, 1.0F / 362880.0F, -1.0F / 5040.0F), 1.0F / 120.0F),
                       -1.0F / 6.0F),
                 1.0F);
}
template <class Value> ECHOLUX_HD inline Value cosineNear0(const Value& s) {
    return fused(s,
                 fused(s, fused(s, fused(s, 1.0F / 40320.0F, -1.0F / 720.0F), 1.0F / 24.0F), -0.5F),
                 1.0F);
}

/// cos and sin of 2 pi `cycles`, |error| < 2e-7. The angle is brought to +-pi/4 by quarter turns.
ECHOLUX_HD inline Complex unitPhasor(float cycles) {
    const float turn = cycles - std::floor(cycles + 0.5F);
    const float quarter = std::floor(std::fma(turn, 4.0F, 0.5F));
    const float angle = std::fma(quarter, -0.25F, turn) * (2.0F * kPi);
    const float s = angle * angle;
    const float sine = sineNear0(angle, s);
    const float cosine = cosineNear0(s);
    // quarter is -2, -1, 0, 1 or 2; odd ones swap sine and cosine.
    const bool odd = quarter == 1.0F || quarter == -1.0F;
    const float re = odd ? sine : cosine;
    const float im = odd ? cosine : sine;
    const bool flipRe = quarter == 1.0F || quarter == 2.0F || quarter == -2.0F;
    const bool flipIm = quarter == -1.0F || quarter == 2.0F || quarter == -2.0F;
    return {flipRe ? -re : re, flipIm ? -im : im};
}

/// Window over -1 <= u <= 1, peak 1 at u = 0, 0 outside (SciPy's symmetric windows at N points are
/// this at u = 2 n / (N - 1) - 1).
ECHOLUX_HD inline float windowAt(ApodizationWindow window, float alpha, float u) {
    const float a = std::fabs(u);
    float value = 1.0F;
    if (window == ApodizationWindow::Hann) {
        value = std::fma(0.5F, unitPhasor(0.5F * a).re, 0.5F);
    } else if (window == ApodizationWindow::Hamming) {
        value = std::fma(0.46F, unitPhasor(0.5F * a).re, 0.54F);
    } else if (window == ApodizationWindow::Tukey && alpha > 0.0F) {
        const float into = (a - 1.0F + alpha) / alpha; // 0 to 1 over the taper
        value = into > 0.0F ? std::fma(0.5F, unitPhasor(0.5F * into).re, 0.5F) : 1.0F;
    }
    return a <= 1.0F ? value : 0.0F;
}

/// Weight of an element at a pixel: the window over |e.x - x| <= (z - e.z) / (2 F), or over the
/// whole array for F = 0. The image is the plain weighted sum: with a constant f-number the number
/// of elements grows with depth as the echo of a point falls, which keeps its amplitude even.
ECHOLUX_HD inline float apodization(const Constants& k, const Element& e, float x, float z) {
    const bool whole = k.apertureSlope == 0.0F;
    const float offset = whole ? e.x - k.arrayCentre : e.x - x;
    const float half = whole ? k.arrayHalfWidth : k.apertureSlope * (z - e.z);
    const float distance = std::fabs(offset);
    const float u = half > 0.0F ? distance / half : 0.0F;
    return distance <= half ? windowAt(k.window, k.tukeyAlpha, u) : 0.0F;
}

/// Sample n of a line; what lies outside the record counts as 0. kInside: it is known not to.
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

/// Coefficient of tap j of a Lagrange interpolator of `order`, at `u` taps behind tap 0.
ECHOLUX_HD inline float lagrangeWeight(int order, int j, float u) {
    float product = 1.0F;
    float scale = 1.0F;
    ECHOLUX_UNROLL_ON_HOST
    for (int m = 0; m <= order; ++m) {
        product *= m != j ? u - static_cast<float>(m) : 1.0F;
        scale *= m != j ? static_cast<float>(j - m) : 1.0F;
    }
    return product / scale;
}

/// The line at the fractional sample `index`. Taps: nearest floor(index + 1/2); linear 2; Lagrange
/// order + 1, as centred as can be; sinc an even number of taps, h[n] = sinc(n - index), cut off
/// without a taper.
/// kInside: all taps are known to lie within the record.
template <class Sample, DelayInterpolation kKind, bool kInside = false>
ECHOLUX_HD inline Sample interpolate(const Constants& k, const Sample* line, float index) {
    // Far outside is outside: keeps the conversion to integers defined. NaN ends there too.
    const float highest = static_cast<float>(k.samples + kMaxTaps);
    const float low = index > -static_cast<float>(kMaxTaps) ? index : -static_cast<float>(kMaxTaps);
    const float at = kInside ? index : low < highest ? low : highest;
    if constexpr (kKind == DelayInterpolation::Nearest) {
        return sampleAt<Sample, kInside>(line, k.samples,
                                         static_cast<std::int32_t>(std::floor(at + 0.5F)));
    } else if constexpr (kKind == DelayInterpolation::Linear) {
        const float whole = std::floor(at);
        const auto n = static_cast<std::int32_t>(whole);
        const float f = at - whole;
        return addScaled(f, sampleAt<Sample, kInside>(line, k.samples, n + 1),
                         (1.0F - f) * sampleAt<Sample, kInside>(line, k.samples, n));
    } else if constexpr (kKind == DelayInterpolation::Lagrange) {
        const int order = k.lagrangeOrder;
        const float nearest = std::floor(order % 2 == 0 ? at + 0.5F : at);
        const auto first = static_cast<std::int32_t>(nearest) - order / 2;
        const float u = at - static_cast<float>(first);
        Sample sum{};
        ECHOLUX_UNROLL_ON_HOST
        for (int j = 0; j <= order; ++j) {
            sum = addScaled(lagrangeWeight(order, j, u),
                            sampleAt<Sample, kInside>(line, k.samples, first + j), sum);
        }
        return sum;
    } else {
        const float whole = std::floor(at);
        const int half = k.sincTaps / 2;
        const auto first = static_cast<std::int32_t>(whole) - half + 1;
        const float f = at - whole;
        // sin(pi (f - m)) = (-1)^m sin(pi f), so that one sine serves all taps.
        const float sine = unitPhasor(0.5F * f).im / kPi;
        Sample sum{};
        ECHOLUX_UNROLL_ON_HOST
        for (int j = 0; j < 2 * half; ++j) {
            const int m = j - half + 1;
            const float distance = f - static_cast<float>(m);
            const float signedSine = m % 2 == 0 ? sine : -sine;
            const float weight = distance == 0.0F ? 1.0F : signedSine / distance;
            sum = addScaled(weight, sampleAt<Sample, kInside>(line, k.samples, first + j), sum);
        }
        return sum;
    }
}

ECHOLUX_HD inline float power(float value) { return value * value; }
ECHOLUX_HD inline float power(Complex value) { return norm(value); }

/// IQ is turned back by exp(+j 2 pi fd tau); the factor of the receive path and that of the
/// transmit path are applied apart.
ECHOLUX_HD inline float turned(float value, const Complex&) { return value; }
ECHOLUX_HD inline Complex turned(Complex value, const Complex& phasor) { return value * phasor; }

ECHOLUX_HD inline Complex receivePhasor(const Constants& k, float receiveAt) {
    return unitPhasor(receiveAt * k.cyclesPerSample);
}
ECHOLUX_HD inline Complex transmitPhasor(const Constants& k, const TransmitConstants& t,
                                         float transmitAt) {
    return unitPhasor(std::fma(transmitAt, k.cyclesPerSample, t.phaseCycles));
}

/// What has been summed for one pixel. Coherence factor, over all terms s with weight w:
/// |sum w s|^2 / (sum w * sum w |s|^2), from 0 to 1 (Cauchy and Schwarz), 1 for equal terms.
template <class Sample> struct PixelSum {
    Sample sum{};
    float power = 0.0F;
    float weight = 0.0F;
};

template <class Sample> ECHOLUX_HD inline Sample withCoherence(const PixelSum<Sample>& pixel) {
    const float bound = pixel.weight * pixel.power;
    const float factor = bound > 0.0F ? power(pixel.sum) / bound : 0.0F;
    return factor * pixel.sum;
}

ECHOLUX_HD inline float sumOf(float a, float b) { return a + b; }
ECHOLUX_HD inline Complex sumOf(Complex a, Complex b) { return a + b; }
ECHOLUX_HD inline float magnitude(float value) { return std::fabs(value); }
ECHOLUX_HD inline Complex magnitude(Complex value) { return {std::sqrt(norm(value)), 0.0F}; }

/// Adds what one transmit gave to its pixel.
template <class Sample> ECHOLUX_HD inline void
addTransmit(const Constants& k, const PixelSum<Sample>& transmit, PixelSum<Sample>& pixel) {
    if (k.incoherent) {
        const Sample value = k.coherenceFactor ? withCoherence(transmit) : transmit.sum;
        pixel.sum = sumOf(pixel.sum, magnitude(value));
        return;
    }
    pixel.sum = sumOf(pixel.sum, transmit.sum);
    pixel.power += transmit.power;
    pixel.weight += transmit.weight;
}

template <class Sample>
ECHOLUX_HD inline Sample finished(const Constants& k, const PixelSum<Sample>& pixel) {
    return k.coherenceFactor && !k.incoherent ? withCoherence(pixel) : pixel.sum;
}

} // namespace echolux::das
