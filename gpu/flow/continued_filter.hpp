// SPDX-License-Identifier: GPL-3.0-or-later
// A digital filter over the frames of ensembles that follow each other without a pause: each
// pixel's filter goes on where the ensemble before left it. Include it only from .cu files, which
// also compile as plain C++.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/flow/clutter_matrices.hpp"
#include "gpu/flow/frame_mixing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace echolux::flow {

/// Largest order of a continued filter.
inline constexpr int kMostContinued = 16;

/// Numbers of the state of one pixel, real and imaginary parts by turns.
inline constexpr std::int64_t kContinuedParts = 2 * kMostContinued;

/// Bytes of the state of all pixels. Doubles, because tissue is 60 dB above blood and the slowest
/// filters forget it within thousands of frames.
inline std::size_t continuedBytes(std::int64_t pixels) {
    return static_cast<std::size_t>(pixels * kContinuedParts) * sizeof(double);
}

/// Transposed direct form II of
///   y[n] = sum over k of b[k] x[n - k] - sum over k >= 1 of a[k] y[n - k]
/// (Oppenheim and Schafer, Discrete-Time Signal Processing, 3rd ed., 6.3). An item is a pixel. The
/// state is [part][pixel]; a null `past` stands for a pixel that was always as in the first frame,
/// of which a high-pass filter leaves nothing.
struct ContinuedFilter {
    const Complex* in; ///< [frame][pixel]
    Complex* out;
    const double* past;
    double* next;
    std::int64_t pixels;
    int frames;
    int order;
    double b[kMostContinued + 1];
    double a[kMostContinued + 1];

    ECHOLUX_HD void operator()(std::int64_t p) const {
        double re[kMostContinued + 1];
        double im[kMostContinued + 1];
        begin(p, re, im);
        for (int f = 0; f < frames; ++f) {
            const Complex sample = in[f * pixels + p];
            const double x = sample.re;
            const double y = sample.im;
            const double outRe = b[0] * x + re[0];
            const double outIm = b[0] * y + im[0];
            for (int k = 0; k < order; ++k) {
                re[k] = b[k + 1] * x - a[k + 1] * outRe + re[k + 1];
                im[k] = b[k + 1] * y - a[k + 1] * outIm + im[k + 1];
            }
            out[f * pixels + p] = {static_cast<float>(outRe), static_cast<float>(outIm)};
        }
        for (int k = 0; k < kMostContinued; ++k) {
            next[2 * k * pixels + p] = k < order ? re[k] : 0.0;
            next[(2 * k + 1) * pixels + p] = k < order ? im[k] : 0.0;
        }
    }

private:
    ECHOLUX_HD void begin(std::int64_t p, double* re, double* im) const {
        re[order] = im[order] = 0.0;
        for (int k = order - 1; k >= 0; --k) {
            if (past != nullptr) {
                re[k] = past[2 * k * pixels + p];
                im[k] = past[(2 * k + 1) * pixels + p];
            } else {
                re[k] = re[k + 1] + b[k + 1] * in[p].re;
                im[k] = im[k + 1] + b[k + 1] * in[p].im;
            }
        }
    }
};

/// Filters the ensemble. `past` and `next`: of continuedBytes(); see ContinuedFilter.
inline void continueFilter(const Exec& exec, const char* name, const MixedFrames& ensemble,
                           const DigitalFilter& filter, const void* past, void* next) {
    ContinuedFilter each{ensemble.in,
                         ensemble.out,
                         static_cast<const double*>(past),
                         static_cast<double*>(next),
                         ensemble.pixels,
                         ensemble.frames,
                         static_cast<int>(filter.b.size()) - 1,
                         {},
                         {}};
    std::ranges::copy(filter.b, each.b);
    std::ranges::copy(filter.a, each.a);
    forEach(exec, name, ensemble.pixels, each);
}

} // namespace echolux::flow
