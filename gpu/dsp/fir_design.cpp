// SPDX-License-Identifier: GPL-3.0-or-later
// Window method for FIR filters.
#include "gpu/dsp/fir_design.hpp"

#include <cmath>
#include <complex>
#include <numbers>

namespace echolux {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

/// Ideal low-pass with cut-off f, 2 f sinc(2 f m).
double lowPassAt(double f, double m) {
    return m == 0.0 ? 2.0 * f : std::sin(kTwoPi * f * m) / (std::numbers::pi * m);
}

double unitGainFrequency(FirBand band) {
    if (band.low <= 0.0) return 0.0;
    return band.high >= 0.5 ? 0.5 : 0.5 * (band.low + band.high);
}

} // namespace

double firWindow(FirWindow window, double u) {
    const double c = std::cos(kTwoPi * u);
    switch (window) {
    case FirWindow::Hamming: return 0.54 - 0.46 * c;
    case FirWindow::Hann: return 0.5 - 0.5 * c;
    case FirWindow::Blackman: return 0.42 - 0.5 * c + 0.08 * std::cos(2.0 * kTwoPi * u);
    case FirWindow::Rectangular: return 1.0;
    }
    return 1.0;
}

std::vector<double> designFir(std::int64_t taps, FirBand band, FirWindow window) {
    std::vector<double> h(static_cast<std::size_t>(taps));
    const double centre = 0.5 * static_cast<double>(taps - 1);
    for (std::size_t n = 0; n < h.size(); ++n) {
        const double m = static_cast<double>(n) - centre;
        const double u = taps > 1 ? static_cast<double>(n) / static_cast<double>(taps - 1) : 0.5;
        h[n] = firWindow(window, u) * (lowPassAt(band.high, m) - lowPassAt(band.low, m));
    }
    const double gain = firMagnitude(h, unitGainFrequency(band));
    for (double& value : h) value /= gain;
    return h;
}

double firMagnitude(const std::vector<double>& taps, double frequency) {
    std::complex<double> sum;
    for (std::size_t n = 0; n < taps.size(); ++n)
        sum += taps[n] * std::polar(1.0, -kTwoPi * frequency * static_cast<double>(n));
    return std::abs(sum);
}

std::vector<double> autocorrelation(const std::vector<double>& taps) {
    std::vector<double> r(taps.size());
    for (std::size_t k = 0; k < r.size(); ++k) {
        for (std::size_t n = 0; n + k < taps.size(); ++n) r[k] += taps[n] * taps[n + k];
    }
    return r;
}

} // namespace echolux
