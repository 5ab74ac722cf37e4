// SPDX-License-Identifier: GPL-3.0-or-later
// Responses of interpolators, from the result of reading impulses.
#include "app/lab/read_response.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace echolux::lab {
namespace {

constexpr std::int64_t kResponseSamples = 128; ///< more than the reach of any interpolator
constexpr std::int64_t kResponseMiddle = kResponseSamples / 2;

/// The weight of sample kResponseMiddle + n in the value that is read at kResponseMiddle +
/// fraction, n from -kResponseMiddle on.
std::vector<double> weights(const LineReader& reader, double fraction) {
    std::vector<double> found;
    std::vector<float> impulse(kResponseSamples);
    for (std::size_t n = 0; n < impulse.size(); ++n) {
        std::vector<double> read(impulse.size());
        impulse[n] = 1.0F;
        reader.add(impulse, -fraction, kResponseMiddle, kResponseMiddle + 1, read);
        impulse[n] = 0.0F;
        found.push_back(read[kResponseMiddle]);
    }
    return found;
}

ReadResponse responseOf(const LineReader& reader, double fraction, int points) {
    constexpr double kFloor = 1e-10; // -200 dB
    const std::vector<double> h = weights(reader, fraction);
    ReadResponse response;
    response.fraction = fraction;
    for (std::size_t n = 0; n < h.size(); ++n)
        if (std::abs(h[n]) > kFloor)
            response.taps.push_back(
                {static_cast<int>(n) - static_cast<int>(kResponseMiddle), h[n]});
    for (int i = 1; i <= points; ++i) {
        const double turn = std::numbers::pi * i / points; // radians per sample
        std::complex<double> gain;
        for (std::size_t n = 0; n < h.size(); ++n)
            gain += std::polar(h[n], turn * (static_cast<double>(n) - kResponseMiddle));
        // The deviation is only known within half a turn of the ideal phase.
        const double off = std::arg(gain * std::polar(1.0, -turn * fraction));
        response.frequencies.push_back(0.5 * i / points);
        response.magnitudeDb.push_back(20.0 * std::log10(std::max(std::abs(gain), kFloor)));
        response.delay.push_back(fraction + off / turn);
    }
    return response;
}

} // namespace

ReadResponse readResponse(const Interpolator& interpolator, double fraction, EchoBand band,
                          int points) {
    return responseOf(LineReader(interpolator, kResponseSamples, band), fraction, points);
}

std::vector<ReadResponse> responseFamily(const Interpolator& interpolator, EchoBand band,
                                         int fractions, int points) {
    const LineReader reader(interpolator, kResponseSamples, band);
    std::vector<ReadResponse> family;
    for (int i = 0; i < fractions; ++i)
        family.push_back(responseOf(reader, static_cast<double>(i) / (fractions - 1), points));
    return family;
}

} // namespace echolux::lab
