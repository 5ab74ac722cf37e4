// SPDX-License-Identifier: GPL-3.0-or-later
// Inverse FFTs of 2 to 32 points that one thread holds in registers: y[k] = sum_n x[n] exp(+2 pi j
// n k / N), not scaled, natural order in and out. All loops are unrolled. Also runs on the host,
// for tests.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/unroll.hpp"

namespace echolux::fused {

/// exp(+2 pi j k / 32).
template <int K> ECHOLUX_HD constexpr Complex root32() {
    constexpr float kCosine[9] = {1.0F,         0.980785280F, 0.923879533F,
                                  0.831469612F, 0.707106781F, 0.555570233F,
                                  0.382683432F, 0.195090322F, 0.0F};
    constexpr int k = K & 31;
    constexpr int folded = k % 16 > 8 ? 16 - k % 16 : k % 16; // cos has the period 2 pi, |cos| pi
    constexpr float c = (k > 8 && k < 24 ? -1.0F : 1.0F) * kCosine[folded];
    constexpr int quarter = (k + 24) & 31; // sin a = cos(a - pi / 2)
    constexpr int foldedSine = quarter % 16 > 8 ? 16 - quarter % 16 : quarter % 16;
    constexpr float s = (quarter > 8 && quarter < 24 ? -1.0F : 1.0F) * kCosine[foldedSine];
    return {c, s};
}

/// a + w b and a - w b with w = exp(+2 pi j K / 32). In general this takes six operations: four
/// fused ones for p = a + w b, and two for a - w b = 2 a - p.
template <int K>
ECHOLUX_HD_INLINE void butterfly(Complex a, Complex b, Complex& sum, Complex& difference) {
    if constexpr (K == 0) {
        sum = a + b;
        difference = a - b;
    } else if constexpr (K == 8) {
        sum = {a.re - b.im, a.im + b.re};
        difference = {a.re + b.im, a.im - b.re};
    } else if constexpr (K == 4 || K == 12) {
        constexpr float kHalfRoot = 0.707106781F;
        const float less = b.re - b.im;
        const float more = b.re + b.im;
        const Complex turned = K == 4 ? Complex{less, more} : Complex{-more, less};
        sum = {a.re + kHalfRoot * turned.re, a.im + kHalfRoot * turned.im};
        difference = {a.re - kHalfRoot * turned.re, a.im - kHalfRoot * turned.im};
    } else {
        constexpr Complex w = root32<K>();
        sum = {a.re + w.re * b.re - w.im * b.im, a.im + w.re * b.im + w.im * b.re};
        difference = {2.0F * a.re - sum.re, 2.0F * a.im - sum.im};
    }
}

/// Decimation in time, radix 2.
template <int N> struct RegisterFft {
    ECHOLUX_HD_INLINE static void run(Complex (&v)[N]) {
        Complex even[N / 2];
        Complex odd[N / 2];
        ECHOLUX_UNROLL
        for (int i = 0; i < N / 2; ++i) {
            even[i] = v[2 * i];
            odd[i] = v[2 * i + 1];
        }
        RegisterFft<N / 2>::run(even);
        RegisterFft<N / 2>::run(odd);
        combine<0>(even, odd, v);
    }

private:
    template <int K> ECHOLUX_HD_INLINE static void
    combine(const Complex (&even)[N / 2], const Complex (&odd)[N / 2], Complex (&v)[N]) {
        if constexpr (K < N / 2) {
            butterfly<K*(32 / N)>(even[K], odd[K], v[K], v[K + N / 2]);
            combine<K + 1>(even, odd, v);
        }
    }
};

template <> struct RegisterFft<1> {
    ECHOLUX_HD_INLINE static void run(Complex (&)[1]) {}
};

} // namespace echolux::fused
