// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of FFTs that the tests of both backends share, and a direct sum as their reference.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/fft/fft.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

namespace echolux::test {

inline std::int64_t inCount(const FftShape& shape) {
    return shape.kind == FftKind::ComplexToReal ? shape.length / 2 + 1 : shape.length;
}
inline std::int64_t outCount(const FftShape& shape) {
    return shape.kind == FftKind::RealToComplex ? shape.length / 2 + 1 : shape.length;
}
inline std::size_t extent(const FftLayout& layout, std::int64_t count, std::int64_t batch) {
    return static_cast<std::size_t>((count - 1) * layout.stride + (batch - 1) * layout.distance +
                                    1);
}

/// Every kind x lengths (1, prime, composite, power of two) x batches that do and do not fill
/// FFTW's chunks x contiguous lines and transforms along the first axis.
inline std::vector<FftShape> fftShapes() {
    std::vector<FftShape> shapes;
    for (const FftKind kind : {FftKind::ComplexForward, FftKind::ComplexInverse,
                               FftKind::RealToComplex, FftKind::ComplexToReal}) {
        for (const std::int64_t length : {1, 2, 17, 60, 128, 211}) {
            for (const std::int64_t batch : {1, 5, 16, 37}) {
                FftShape shape{kind, length, batch, {}, {}};
                shape.in = {1, inCount(shape)};
                shape.out = {1, outCount(shape)};
                shapes.push_back(shape);
                shape.in = {batch, 1};
                shape.out = {batch, 1};
                shapes.push_back(shape);
                shape.in = {batch + 3, 1}; // padded rows in, lines out: a transform that transposes
                shape.out = {1, outCount(shape) + 2};
                shapes.push_back(shape);
            }
        }
    }
    return shapes;
}

/// Random input as it lies in memory; reals hold one float per element.
inline std::vector<float> fftInput(const FftShape& shape, unsigned seed) {
    const bool real = shape.kind == FftKind::RealToComplex;
    std::vector<float> values(extent(shape.in, inCount(shape), shape.batch) * (real ? 1 : 2));
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    for (float& value : values) value = uniform(random);
    if (shape.kind == FftKind::ComplexToReal) {
        // The spectrum of a real line has real ends; what a library makes of others is its own.
        for (std::int64_t b = 0; b < shape.batch; ++b) {
            const std::int64_t first = b * shape.in.distance;
            values[static_cast<std::size_t>(2 * first + 1)] = 0.0F;
            if (shape.length % 2 == 0) {
                const std::int64_t last = first + shape.length / 2 * shape.in.stride;
                values[static_cast<std::size_t>(2 * last + 1)] = 0.0F;
            }
        }
    }
    return values;
}

/// Transform `b` by the defining sum, in double; reals come back with zero imaginary part.
inline std::vector<std::complex<double>>
directTransform(const FftShape& shape, const std::vector<float>& in, std::int64_t b) {
    const auto at = [&](std::int64_t n) -> std::complex<double> {
        const auto place = static_cast<std::size_t>(b * shape.in.distance + n * shape.in.stride);
        if (shape.kind == FftKind::RealToComplex) return in[place];
        return {in[2 * place], in[2 * place + 1]};
    };
    const std::int64_t length = shape.length;
    std::vector<std::complex<double>> x(static_cast<std::size_t>(length));
    for (std::int64_t n = 0; n < length; ++n) {
        const bool mirrored = shape.kind == FftKind::ComplexToReal && n > length / 2;
        x[static_cast<std::size_t>(n)] = mirrored ? std::conj(at(length - n)) : at(n);
    }
    const bool inverse =
        shape.kind == FftKind::ComplexInverse || shape.kind == FftKind::ComplexToReal;
    std::vector<std::complex<double>> y(static_cast<std::size_t>(outCount(shape)));
    for (std::int64_t k = 0; k < outCount(shape); ++k) {
        for (std::int64_t n = 0; n < length; ++n) {
            const double turns = static_cast<double>(n * k % length) / static_cast<double>(length);
            y[static_cast<std::size_t>(k)] +=
                x[static_cast<std::size_t>(n)] *
                std::polar(1.0, (inverse ? 2.0 : -2.0) * std::numbers::pi * turns);
        }
    }
    return y;
}

} // namespace echolux::test
