// SPDX-License-Identifier: GPL-3.0-or-later
// Formulas of the OCT stages for both backends and for fused kernels.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/decibels.hpp"
#include "gpu/core/portable.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::oct {

ECHOLUX_HD inline bool isFinite(float value) { return std::isfinite(value); }
ECHOLUX_HD inline bool isFinite(Complex value) { return isFinite(value.re) && isFinite(value.im); }

/// First and last sample of the moving average around n: `window` samples with n in the middle. An
/// even window reaches one sample farther back. The span is cut at the ends of the line.
struct Span {
    std::int64_t first;
    std::int64_t last;
};
ECHOLUX_HD inline Span movingSpan(std::int64_t n, std::int64_t window, std::int64_t length) {
    const std::int64_t first = n - window / 2;
    const std::int64_t last = first + window - 1;
    return {first < 0 ? 0 : first, last > length - 1 ? length - 1 : last};
}

/// Weights of the samples floor(r) - 1 .. floor(r) + 2 at fraction f = r - floor(r): Catmull-Rom.
ECHOLUX_HD inline void catmullRomWeights(float f, float weights[4]) {
    const float f2 = f * f;
    const float f3 = f2 * f;
    weights[0] = 0.5F * (-f3 + 2.0F * f2 - f);
    weights[1] = 0.5F * (3.0F * f3 - 5.0F * f2 + 2.0F);
    weights[2] = 0.5F * (-3.0F * f3 + 4.0F * f2 + f);
    weights[3] = 0.5F * (f3 - f2);
}

/// 20 log10|X|; kNothingDb where X is 0 or NaN.
ECHOLUX_HD inline float decibels(Complex value) {
    const float power = norm(value);
    return power > 0.0F ? fmaxf(10.0F * log10f(power), kNothingDb) : kNothingDb;
}

/// Position among the recorded lines (0 .. lines - 1, fractional) of line `n` of a B-scan whose
/// `lines` lines are equally spaced in width. The mirror swings sinusoidally; the recorded lines
/// are equally spaced in time and cover the middle `arc` (0 < arc <= 1) of its half period.
ECHOLUX_HD inline float unwarpedLine(std::int64_t n, std::int64_t lines, float arc) {
    if (lines < 2) return 0.0F;
    constexpr float kPi = 3.14159265358979F;
    const float v = static_cast<float>(n) / static_cast<float>(lines - 1) - 0.5F;
    const float u = asinf(2.0F * v * sinf(0.5F * kPi * arc)) / (kPi * arc);
    const float last = static_cast<float>(lines - 1);
    return fminf(fmaxf((u + 0.5F) * last, 0.0F), last);
}

} // namespace echolux::oct
