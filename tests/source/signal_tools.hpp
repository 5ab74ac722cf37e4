// SPDX-License-Identifier: GPL-3.0-or-later
// Plain signal analysis for the tests of the simulator: direct Fourier sums, nothing shared with
// it.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

namespace echolux::test {

/// sum over n of x[n] exp(-2 pi j f n / fs)
inline std::complex<double> spectrumAt(std::span<const double> x, double frequencyHz,
                                       double samplingHz) {
    std::complex<double> sum = 0.0;
    const double step = -2.0 * std::numbers::pi * frequencyHz / samplingHz;
    for (std::size_t n = 0; n < x.size(); ++n)
        sum += x[n] * std::polar(1.0, step * static_cast<double>(n));
    return sum;
}

/// Analytic signal at a fractional position, by Fourier interpolation over the positive
/// frequencies: a(u) = 2/N sum over 0 < k < N/2 of X_k exp(2 pi j k u / N).
class Analytic {
public:
    explicit Analytic(std::span<const double> x) : m_size(x.size()) {
        for (std::size_t k = 1; k < m_size / 2; ++k)
            m_bins.push_back(spectrumAt(x, static_cast<double>(k), static_cast<double>(m_size)));
    }
    std::complex<double> at(double position) const {
        std::complex<double> sum = 0.0;
        const double step = 2.0 * std::numbers::pi * position / static_cast<double>(m_size);
        for (std::size_t i = 0; i < m_bins.size(); ++i)
            sum += m_bins[i] * std::polar(1.0, step * static_cast<double>(i + 1));
        return 2.0 / static_cast<double>(m_size) * sum;
    }
    double envelope(double position) const { return std::abs(at(position)); }
    /// Of the envelope's maximum within `reach` of `guess`, by golden-section search.
    double peak(double guess, double reach) const {
        constexpr double kGolden = 0.6180339887498949;
        double low = guess - reach;
        double high = guess + reach;
        while (high - low > 1e-4) {
            const double a = high - kGolden * (high - low);
            const double b = low + kGolden * (high - low);
            if (envelope(a) > envelope(b))
                high = b;
            else
                low = a;
        }
        return (low + high) / 2.0;
    }

private:
    std::size_t m_size;
    std::vector<std::complex<double>> m_bins;
};

/// Centre and width between the half-amplitude (-6 dB) points of a spectrum around its maximum.
struct Band {
    double centreHz = 0.0;
    double widthHz = 0.0;
};
inline Band bandOf(std::span<const double> x, double samplingHz) {
    constexpr int kSteps = 4000;
    std::vector<double> magnitude;
    std::size_t top = 0;
    for (int i = 0; i <= kSteps; ++i) {
        magnitude.push_back(std::abs(spectrumAt(x, samplingHz / 2.0 * i / kSteps, samplingHz)));
        if (magnitude.back() > magnitude[top]) top = magnitude.size() - 1;
    }
    std::size_t low = top;
    std::size_t high = top;
    while (low > 0 && magnitude[low] > magnitude[top] / 2.0) --low;
    while (high + 1 < magnitude.size() && magnitude[high] > magnitude[top] / 2.0) ++high;
    const double step = samplingHz / 2.0 / kSteps;
    return {static_cast<double>(low + high) / 2.0 * step, static_cast<double>(high - low) * step};
}

/// FNV-1a over the codes, low bytes first.
inline std::uint64_t hashOf(std::span<const std::int16_t> codes) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const std::int16_t code : codes) {
        const auto word = static_cast<std::uint16_t>(code);
        for (const unsigned byte : {word & 0xFFU, unsigned{word} >> 8U})
            hash = (hash ^ byte) * 0x100000001b3ULL;
    }
    return hash;
}

} // namespace echolux::test
