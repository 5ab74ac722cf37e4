// SPDX-License-Identifier: GPL-3.0-or-later
// Design of linear-phase FIR filters by the windowed ideal response, and their spectra. Host only.
#pragma once

#include <cstdint>
#include <vector>

namespace echolux {

enum class FirWindow { Hamming, Hann, Blackman, Rectangular };

/// The window at 0 <= u <= 1: symmetric, with the peak 1 at u = 1/2.
double firWindow(FirWindow window, double u);

/// Pass band in fractions of the sampling frequency, 0 <= low < high <= 0.5.
struct FirBand {
    double low = 0.0;
    double high = 0.5;
};

/// `taps` coefficients h[n] = w[n] (2 fH sinc(2 fH m) - 2 fL sinc(2 fL m)), m = n - (taps - 1) / 2,
/// scaled to gain 1 in the middle of the band (at 0 if it reaches 0, else at 0.5 if it reaches
/// 0.5). The gain at a band edge is 1/2. `taps` must be odd where the band reaches 0.5. Window
/// method, for example Oppenheim and Schafer, Discrete-Time Signal Processing, section 7.5.
std::vector<double> designFir(std::int64_t taps, FirBand band, FirWindow window);

/// |sum_n h[n] exp(-2 pi j f n)|, f in fractions of the sampling frequency.
double firMagnitude(const std::vector<double>& taps, double frequency);

/// r[k] = sum_n h[n] h[n + k], 0 <= k < taps: the right half of the kernel of forward and backward
/// filtering with h.
std::vector<double> autocorrelation(const std::vector<double>& taps);

} // namespace echolux
