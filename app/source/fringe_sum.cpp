// SPDX-License-Identifier: GPL-3.0-or-later
// Non-uniform Fourier transform of one line's reflectors. It gives the same bits on every machine.
// With d = d' + n / 4 and u = u' + n / 2:  u d / n = u' d' / n + d' / 2 + u / 4, so both the grid
// and the frequencies are centred.
#include "app/source/fringe_sum.hpp"

#include "gpu/core/bessel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace echolux {

namespace {

using std::numbers::pi;
constexpr std::int64_t kSpread = 6;       ///< grid values to which a reflector adds
constexpr double kSpreadShape = 2.34 * 6; ///< for twice as many grid values as bins
constexpr std::int64_t kFractions = 2048;
constexpr std::int64_t kTaps = 10; ///< of the interpolation, from four times as many values
constexpr double kTapShape = 11.0;

/// The Kaiser-Bessel window of a given width, 1 in its middle.
double kaiser(double t, double width, double shape) {
    const double inside = 1.0 - 4.0 * t * t / (width * width);
    return inside < 0.0 ? 0.0 : besselI0(shape * std::sqrt(inside)) / besselI0(shape);
}

/// The transform of this window at a frequency in cycles per grid step, below the window's edge.
double kaiserTransform(double frequency, double width, double shape) {
    const double turn = pi * width * frequency;
    const double root = std::sqrt(shape * shape - turn * turn);
    return width * std::sinh(root) / (root * besselI0(shape));
}

double cardinalSine(double t) { return std::abs(t) < 1e-12 ? 1.0 : std::sin(pi * t) / (pi * t); }

std::complex<double> turn(double cycles) {
    const double angle = 2.0 * pi * (cycles - std::round(cycles));
    return {std::cos(angle), std::sin(angle)};
}

} // namespace

FringeSum::FringeSum(std::int64_t samples, std::span<const double> wavenumberIndex)
    : m_samples(samples),
      m_size(static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(4 * samples)))) {
    makeSpreading();
    makeInterpolation(wavenumberIndex);
}

void FringeSum::makeSpreading() {
    for (std::int64_t f = 0; f <= kFractions; ++f) {
        const double fraction = static_cast<double>(f) / static_cast<double>(kFractions);
        for (std::int64_t tap = 0; tap < kSpread; ++tap)
            m_kernel.push_back(kaiser(fraction - static_cast<double>(tap - kSpread / 2 + 1),
                                      kSpread, kSpreadShape));
    }
    for (std::int64_t l = 0; l < m_size / 2; ++l)
        m_turns.push_back(turn(static_cast<double>(l) / static_cast<double>(m_size)));
}

void FringeSum::makeInterpolation(std::span<const double> wavenumberIndex) {
    const auto n = static_cast<double>(m_samples);
    const auto size = static_cast<double>(m_size);
    for (const double u : wavenumberIndex) {
        const double at = (u - n / 2.0) * size / (2.0 * n); // index into the transform
        const auto first = static_cast<std::int64_t>(std::floor(at)) - kTaps / 2 + 1;
        m_starts.push_back(first);
        for (std::int64_t tap = 0; tap < kTaps; ++tap) {
            const auto index = static_cast<double>(first + tap);
            const double weight = cardinalSine(at - index) * kaiser(at - index, kTaps, kTapShape) /
                                  kaiserTransform(index / size, kSpread, kSpreadShape);
            m_weights.push_back(weight * turn(u / 4.0));
        }
    }
}

void FringeSum::spread(std::span<const Reflector> reflectors,
                       std::vector<std::complex<double>>& grid) const {
    const auto n = static_cast<double>(m_samples);
    for (const Reflector& reflector : reflectors) {
        if (!(reflector.bin >= 0.0 && reflector.bin <= n / 2.0)) continue;
        const double centred = reflector.bin - n / 4.0;
        const double at = 2.0 * centred;
        const double whole = std::floor(at);
        const auto fraction =
            static_cast<std::size_t>(std::lround((at - whole) * static_cast<double>(kFractions)));
        const double* kernel = &m_kernel[fraction * static_cast<std::size_t>(kSpread)];
        const std::complex<double> amplitude = reflector.amplitude * turn(centred / 2.0);
        const std::int64_t first = static_cast<std::int64_t>(whole) - kSpread / 2 + 1;
        for (std::int64_t tap = 0; tap < kSpread; ++tap)
            grid[static_cast<std::size_t>((first + tap) & (m_size - 1))] += kernel[tap] * amplitude;
    }
}

// Decimation in time, sign +j, not scaled.
void FringeSum::transform(std::vector<std::complex<double>>& grid) const {
    const auto size = static_cast<std::size_t>(m_size);
    for (std::size_t i = 1, j = 0; i < size; ++i) {
        std::size_t bit = size >> 1U;
        for (; (j & bit) != 0; bit >>= 1U) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(grid[i], grid[j]);
    }
    for (std::size_t half = 1; half < size; half *= 2) {
        const std::size_t stride = size / (2 * half);
        for (std::size_t block = 0; block < size; block += 2 * half) {
            for (std::size_t i = 0; i < half; ++i) {
                const std::complex<double> w = m_turns[i * stride];
                const std::complex<double> a = grid[block + i];
                const std::complex<double> b = grid[block + half + i];
                const std::complex<double> t{w.real() * b.real() - w.imag() * b.imag(),
                                             w.real() * b.imag() + w.imag() * b.real()};
                grid[block + i] = a + t;
                grid[block + half + i] = a - t;
            }
        }
    }
}

void FringeSum::sum(std::span<const Reflector> reflectors, std::span<std::complex<double>> out,
                    Scratch& scratch) const {
    scratch.grid.assign(static_cast<std::size_t>(m_size), {});
    spread(reflectors, scratch.grid);
    transform(scratch.grid);
    for (std::size_t p = 0; p < out.size(); ++p) {
        const std::complex<double>* weights = &m_weights[p * static_cast<std::size_t>(kTaps)];
        double re = 0.0;
        double im = 0.0;
        for (std::int64_t tap = 0; tap < kTaps; ++tap) {
            const std::complex<double> value =
                scratch.grid[static_cast<std::size_t>((m_starts[p] + tap) & (m_size - 1))];
            re += weights[tap].real() * value.real() - weights[tap].imag() * value.imag();
            im += weights[tap].real() * value.imag() + weights[tap].imag() * value.real();
        }
        out[p] = {re, im};
    }
}

} // namespace echolux
