// SPDX-License-Identifier: GPL-3.0-or-later
// Clutter filters that do not depend on the data: each is a matrix over the frames of an ensemble.
#pragma once

#include "gpu/core/complex.hpp"

#include <vector>

namespace echolux::flow {

// Each returns M [frames][frames] for mixFrames(): y[f] = sum over g of x[g] M[g][f].

/// I - Q Q^T, with Q the orthonormal polynomials of degree 0 to `order` over the frames: what a
/// polynomial fit of each pixel over time leaves (Bjaerum, Torp, Kristoffersen, Clutter filter
/// design for ultrasound color flow imaging, IEEE Trans. UFFC 49, 2002).
std::vector<Complex> withoutPolynomials(int frames, int order);

/// The same with the first `components` cosines of the DCT-II over the frames.
std::vector<Complex> withoutCosines(int frames, int components);

/// A digital filter: y[n] = sum over k of b[k] x[n - k] - sum over k >= 1 of a[k] y[n - k].
struct DigitalFilter {
    std::vector<double> b;
    std::vector<double> a; ///< a[0] = 1; as many as b
};
/// Butterworth high-pass by the bilinear transform. `cutoff`: -3 dB, as a part of half the sampling
/// rate, between 0 and 1.
DigitalFilter butterworthHighPass(int order, double cutoff);
/// Linear-phase high-pass of `order` + 1 taps, an odd number, by a Hamming window; the gain at half
/// the sampling rate is 1. `cutoff`: -6 dB.
DigitalFilter windowedHighPass(int order, double cutoff);

/// The filter over the frames, which begins from the state that leaves the least energy of each
/// pixel (projection initialisation, Bjaerum et al.): so no transient of the tissue is left.
std::vector<Complex> filtered(int frames, const DigitalFilter& filter);

} // namespace echolux::flow
