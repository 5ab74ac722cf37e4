// SPDX-License-Identifier: GPL-3.0-or-later
// Truncated sinc, Lagrange and least-squares designs.
#include "gpu/dsp/fractional_delay.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr double kWhite = 1e-6; ///< power of white noise that is added to the echoes' spectrum
constexpr double kUsualBandwidth = 0.6;

double sinc(double x) {
    const double angle = std::numbers::pi * x;
    return std::abs(angle) < 1e-9 ? 1.0 : std::sin(angle) / angle;
}

double lagrange(std::size_t taps, std::size_t n, double u) {
    double value = 1.0;
    for (std::size_t k = 0; k < taps; ++k) {
        if (k == n) continue;
        value *= (u - static_cast<double>(k)) / (static_cast<double>(n) - static_cast<double>(k));
    }
    return value;
}

/// c(t), the correlation of echoes `t` samples apart.
double correlation(EchoBand band, double t) {
    const double s = band.width / (4.0 * std::sqrt(std::numbers::ln2));
    const double spread = std::numbers::pi * s * t;
    return std::exp(-2.0 * spread * spread) * std::cos(2.0 * std::numbers::pi * band.centre * t) +
           kWhite * sinc(t);
}

/// The lower factor L with L L' = the matrix a[i - j], row by row. The matrix must be symmetric and
/// positive definite.
std::vector<double> choleskyFactor(const std::vector<double>& a) {
    const std::size_t size = a.size();
    std::vector<double> factor(size * size);
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = a[i - j];
            for (std::size_t k = 0; k < j; ++k) sum -= factor[i * size + k] * factor[j * size + k];
            factor[i * size + j] = i == j ? std::sqrt(sum) : sum / factor[j * size + j];
        }
    }
    return factor;
}

double carrierHz(const FrameSpec& input) {
    if (input.centreFrequencyHz > 0.0) return input.centreFrequencyHz;
    if (input.acquisition && input.acquisition->probe.centreFrequencyHz > 0.0)
        return input.acquisition->probe.centreFrequencyHz;
    if (input.demodulationFrequencyHz > 0.0) return input.demodulationFrequencyHz;
    return input.samplingFrequencyHz() / 4.0;
}

} // namespace

EchoBand echoBand(const FrameSpec& input, double bandwidth) {
    const double fs = input.samplingFrequencyHz();
    if (!(fs > 0.0)) return {0.25, 0.25 * bandwidth};
    const double carrier = carrierHz(input);
    const double cycles = (carrier - input.demodulationFrequencyHz) / fs;
    return {std::abs(cycles - std::round(cycles)), bandwidth * carrier / fs};
}

double usualBandwidth(const FrameSpec& input) {
    const double known = input.acquisition ? input.acquisition->probe.fractionalBandwidth : 0.0;
    return known > 0.0 ? known : kUsualBandwidth;
}

std::int64_t firstTap(std::int64_t taps, double at) {
    const double centre = std::floor(taps % 2 == 0 ? at : at + 0.5);
    return static_cast<std::int64_t>(centre) - (taps - 1) / 2;
}

FractionalDelay::FractionalDelay(FractionalDesign design, std::int64_t taps, EchoBand band)
    : m_design(design), m_taps(static_cast<std::size_t>(taps)), m_band(band) {
    if (design != FractionalDesign::LeastSquares) return;
    std::vector<double> correlations(m_taps);
    for (std::size_t n = 0; n < m_taps; ++n)
        correlations[n] = correlation(band, static_cast<double>(n));
    m_factor = choleskyFactor(correlations);
}

std::vector<double> FractionalDelay::tapsAt(double u) const {
    if (m_design == FractionalDesign::LeastSquares) return leastSquaresAt(u);
    std::vector<double> taps(m_taps);
    for (std::size_t n = 0; n < m_taps; ++n) {
        taps[n] = m_design == FractionalDesign::Sinc ? sinc(u - static_cast<double>(n))
                                                     : lagrange(m_taps, n, u);
    }
    return taps;
}

std::vector<double> FractionalDelay::leastSquaresAt(double u) const {
    std::vector<double> h(m_taps);
    for (std::size_t n = 0; n < m_taps; ++n) {
        h[n] = correlation(m_band, static_cast<double>(n) - u);
        for (std::size_t k = 0; k < n; ++k) h[n] -= m_factor[n * m_taps + k] * h[k];
        h[n] /= m_factor[n * m_taps + n];
    }
    for (std::size_t n = m_taps; n-- > 0;) {
        for (std::size_t k = n + 1; k < m_taps; ++k) h[n] -= m_factor[k * m_taps + n] * h[k];
        h[n] /= m_factor[n * m_taps + n];
    }
    return h;
}

} // namespace echolux
