// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/band_error.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace echolux::lab {
namespace {

constexpr std::int64_t kSamples = 65;
constexpr std::int64_t kMiddle = 32;
constexpr int kFractions = 61; ///< no divisor of the steps of tables and textures
constexpr int kFrequencies = 41;

/// The oscillation read `delay` samples before the middle, relative to that at the middle.
std::complex<double> readAt(const LineReader& reader, double frequency, double delay) {
    std::vector<float> re;
    std::vector<float> im;
    for (std::int64_t n = 0; n < kSamples; ++n) {
        const double angle = 2.0 * std::numbers::pi * frequency * static_cast<double>(n - kMiddle);
        re.push_back(static_cast<float>(std::cos(angle)));
        im.push_back(static_cast<float>(std::sin(angle)));
    }
    std::vector<double> sumRe(kSamples, 0.0);
    std::vector<double> sumIm(kSamples, 0.0);
    reader.add(re, delay, kMiddle, kMiddle + 1, sumRe);
    reader.add(im, delay, kMiddle, kMiddle + 1, sumIm);
    return {sumRe[kMiddle], sumIm[kMiddle]};
}

} // namespace

double bandError(const Interpolator& interpolator, EchoBand band) {
    const LineReader reader(interpolator, kSamples, band);
    const double reach = 0.5 * band.width * std::sqrt(std::log(100.0) / std::numbers::ln2);
    double error = 0.0;
    double weights = 0.0;
    for (int i = 0; i < kFrequencies; ++i) {
        const double off = reach * (2.0 * i / (kFrequencies - 1) - 1.0);
        const double u = 2.0 * off / band.width;
        const double weight = std::exp2(-2.0 * u * u); // W^2, W = 2^(-u^2)
        const double frequency = band.centre + off;
        for (int j = 0; j < kFractions; ++j) {
            const double delay = static_cast<double>(j) / kFractions;
            const auto ideal = std::polar(1.0, -2.0 * std::numbers::pi * frequency * delay);
            error += weight * std::norm(readAt(reader, frequency, delay) - ideal);
            weights += weight;
        }
    }
    return std::sqrt(error / weights);
}

} // namespace echolux::lab
