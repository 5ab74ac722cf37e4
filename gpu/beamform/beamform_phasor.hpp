// SPDX-License-Identifier: GPL-3.0-or-later
// Sines and cosines with the same rounding on host and device.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/portable.hpp"

#include <cmath>
#include <type_traits>

namespace echolux::das {

constexpr float kPi = 3.14159265358979F;

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

/// cos and sin of 2 pi `cycles`, |error| < 2e-7. The angle is reduced to +-pi/4 by quarter turns.
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

} // namespace echolux::das
