// SPDX-License-Identifier: GPL-3.0-or-later
// The modified Bessel function of Kaiser and Bessel's windows.
#pragma once

namespace echolux {

/// I0(x) = sum over k of (x^2 / 4)^k / (k!)^2, for |x| up to 700; all terms are positive, so that
/// the error is a few units in the last place (Abramowitz and Stegun 9.6.12).
/// NOTE: the standard library's cyl_bessel_i calls lgamma, which writes a global variable, so that
/// two threads may not call it. No product is added here directly: with fused multiply and add or
/// without, the result is the same to the bit.
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
