// SPDX-License-Identifier: GPL-3.0-or-later
// Filters that read a line between its samples (Laakso et al., Splitting the unit delay, IEEE
// Signal Processing Magazine 13(1), 1996; Gronvold 2008, section 2.6). Host only.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <cstdint>
#include <vector>

namespace echolux {

enum class FractionalDesign { Sinc, Lagrange, LeastSquares };

/// The spectrum of echoes: a Gaussian whose amplitude is half its peak (-6 dB) at centre +- width /
/// 2. Cycles per sample; 0 <= centre <= 0.5, width > 0.
struct EchoBand {
    double centre = 0.25;
    double width = 0.15;
    bool operator==(const EchoBand&) const = default;
};

/// The band of a frame like `input`. `bandwidth` is the -6 dB width as a fraction of the centre
/// frequency. The centre frequency is the frame's, else the probe's, else that of the demodulation,
/// else a quarter of the sampling frequency. The band is mixed down and folded like the samples.
EchoBand echoBand(const FrameSpec& input, double bandwidth);

/// The probe's bandwidth as a fraction of its centre frequency; 0.6 where unknown.
double usualBandwidth(const FrameSpec& input);

/// The sample of the first tap of a filter with `taps` taps that reads at position `at`. The filter
/// is centred on `at` as well as possible; one with an odd number of taps is centred on the sample
/// nearest to `at`.
std::int64_t firstTap(std::int64_t taps, double at);

/// Coefficients h[0..taps) for reading at position u, counted from the first tap: x(u) = sum_n h[n]
/// x[n].
/// - Sinc: h[n] = sinc(u - n), cut off without a taper.
/// - Lagrange: h[n] = prod_{k != n} (u - k) / (n - k), exact for polynomials up to order taps - 1.
/// - Least squares: least mean squared error over echoes of spectrum W, the square of the band's
///   Gaussian, and, 60 dB weaker, white ones, without which narrow bands would be unsolvable:
///   sum_m c(n - m) h[m] = c(n - u), c(t) = exp(-2 (pi s t)^2) cos(2 pi centre t) + 1e-6 sinc(t),
///   s = width / (4 sqrt(ln 2)), t in samples.
class FractionalDelay {
public:
    /// taps >= 1. `band` is used for least squares only.
    FractionalDelay(FractionalDesign design, std::int64_t taps, EchoBand band);
    std::vector<double> tapsAt(double u) const;

private:
    std::vector<double> leastSquaresAt(double u) const;

    FractionalDesign m_design;
    std::size_t m_taps;
    EchoBand m_band;
    std::vector<double> m_factor; ///< least squares: the Cholesky factor of c(n - m), row by row
};

} // namespace echolux
