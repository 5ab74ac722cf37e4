// SPDX-License-Identifier: GPL-3.0-or-later
// The modified Bessel function I0 of Kaiser-Bessel windows.
#pragma once

namespace echolux {

/// I0(x) = sum over k of (x^2 / 4)^k / (k!)^2, for |x| up to 700 (Abramowitz and Stegun 9.6.12).
/// All terms are positive, so the error is only a few units in the last place. The sum adds
/// quotients and no products. So the result is the same to the bit with and without fused
/// multiply-add. NOTE: the standard library's cyl_bessel_i calls lgamma, which writes a global
/// variable. Two threads must not call it at the same time.
inline double besselI0(double x) {
    const double quarterSquare = 0.25 * x * x;
    double sum = 1.0;
    double term = 1.0;
    for (double k = 1.0; term > 1e-17 * sum; k += 1.0) {
        term = term * quarterSquare / (k * k);
        sum += term;
    }
    return sum;
}

} // namespace echolux
