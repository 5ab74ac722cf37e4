// SPDX-License-Identifier: GPL-3.0-or-later
// Sensitivity of an OCT device, and how steady its phases are.
#include "app/measure/figures.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace echolux::measure {
namespace {

constexpr double kMilli = 1e3;

double powerInDb(double power) { return 10.0 * std::log10(power); }

} // namespace

/// The noise of a complex image has mean 0, so the mean of A^2 over a region without echoes is its
/// variance sigma^2. SNR = A^2 at the mirror over sigma^2 (Choma et al. 2003, Leitgeb et al. 2003).
/// The phase between two repeats then has the deviation SNR^(-1/2) (Park et al. 2005): of each one
/// 1 / (2 SNR) is the variance, that of the noise at right angles to the signal.
std::vector<Figure> figuresOfSensitivity(const MeasuredImage& image, const Measurement& sensitivity,
                                         const Measurement& mirror, const Measurement& noise) {
    const double peak = image.amplitudeOf(image.values[brightestPixel(image, mirror)]);
    const std::vector<std::size_t> pixels = pixelsIn(image, noise);
    double variance = 0.0;
    for (const std::size_t pixel : pixels) {
        const double amplitude = image.amplitudeOf(image.values[pixel]);
        variance += amplitude * amplitude / static_cast<double>(pixels.size());
    }
    if (!(variance > 0.0))
        throw Error(fmt::format("The region '{}' holds no noise; move it beside the mirror's echo.",
                                noise.name));
    const double snr = peak * peak / variance;
    return {
        {"snr", "Mirror over noise", powerInDb(snr), "dB"},
        {"sensitivity", "Sensitivity", powerInDb(snr) + sensitivity.attenuationDb, "dB"},
        {"noise", "Noise", powerInDb(variance), "dB"},
        {"phase_limit", "Phase stability by SNR", kMilli / std::sqrt(snr), "mrad"},
    };
}

double phaseStability(const std::vector<std::complex<float>>& values) {
    std::vector<std::complex<double>> turns;
    std::complex<double> sum = 0.0;
    for (std::size_t n = 1; n < values.size(); ++n) {
        const std::complex<double> turn =
            std::complex<double>(values[n]) * std::conj(std::complex<double>(values[n - 1]));
        if (!(std::abs(turn) > 0.0)) return kNothing;
        turns.push_back(turn / std::abs(turn));
        sum += turns.back();
    }
    if (turns.size() < 2 || !(std::abs(sum) > 0.0)) return kNothing;
    // From the mean direction, so that no difference wraps.
    const std::complex<double> back = std::conj(sum / std::abs(sum));
    double mean = 0.0;
    for (const auto& turn : turns)
        mean += std::arg(turn * back) / static_cast<double>(turns.size());
    double squares = 0.0;
    for (const auto& turn : turns) squares += std::pow(std::arg(turn * back) - mean, 2);
    return std::sqrt(squares / static_cast<double>(turns.size() - 1));
}

} // namespace echolux::measure
