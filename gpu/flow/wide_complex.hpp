// SPDX-License-Identifier: GPL-3.0-or-later
// Double-precision complex number, for sums whose small parts count. Include it only from .cu files
// and from headers of this folder.
#pragma once

#include "gpu/core/complex.hpp"

namespace echolux::flow {

struct alignas(16) WideComplex {
    double re = 0.0;
    double im = 0.0;
};

ECHOLUX_HD inline WideComplex operator+(WideComplex a, WideComplex b) {
    return {a.re + b.re, a.im + b.im};
}
ECHOLUX_HD inline WideComplex operator-(WideComplex a, WideComplex b) {
    return {a.re - b.re, a.im - b.im};
}
ECHOLUX_HD inline WideComplex operator*(WideComplex a, WideComplex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
ECHOLUX_HD inline WideComplex operator*(double s, WideComplex a) { return {s * a.re, s * a.im}; }
ECHOLUX_HD inline WideComplex conj(WideComplex a) { return {a.re, -a.im}; }
ECHOLUX_HD inline double norm(WideComplex a) { return a.re * a.re + a.im * a.im; }
ECHOLUX_HD inline Complex narrowed(WideComplex a) {
    return {static_cast<float>(a.re), static_cast<float>(a.im)};
}

} // namespace echolux::flow
