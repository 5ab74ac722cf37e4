// SPDX-License-Identifier: GPL-3.0-or-later
// Single-precision complex number, usable on host and device, laid out as (re, im).
#pragma once

#include "gpu/core/portable.hpp"

namespace echolux {

struct alignas(8) Complex {
    float re = 0.0F;
    float im = 0.0F;
};

ECHOLUX_HD inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
ECHOLUX_HD inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
ECHOLUX_HD inline Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
ECHOLUX_HD inline Complex operator*(float s, Complex a) { return {s * a.re, s * a.im}; }
ECHOLUX_HD inline Complex conj(Complex a) { return {a.re, -a.im}; }
ECHOLUX_HD inline float norm(Complex a) { return a.re * a.re + a.im * a.im; }

} // namespace echolux
