// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra of short tables in double precision on the host. FFTs of frames are those of gpu/fft.
#pragma once

#include "gpu/stages/matched_filter_replica.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace echolux::pulse {

inline std::size_t smallestFactor(std::size_t n) {
    for (std::size_t factor = 2; factor * factor <= n; ++factor)
        if (n % factor == 0) return factor;
    return n;
}

/// X[k] = sum_n x[n stride] exp(-2 pi j k n / length), by smaller transforms of every r-th value
/// (Cooley and Tukey 1965). Fast for lengths without large prime factors. `turn` has
/// exp(-2 pi j m / M) for 0 <= m < M; M is a multiple of `length`.
inline std::vector<Value> transformed(const Value* x, std::size_t length, std::size_t stride,
                                      const std::vector<Value>& turn) {
    if (length == 1) return {x[0]};
    const std::size_t radix = smallestFactor(length);
    const std::size_t part = length / radix;
    const std::size_t step = turn.size() / length;
    std::vector<Value> spectrum(length);
    for (std::size_t r = 0; r < radix; ++r) {
        const std::vector<Value> own = transformed(x + r * stride, part, stride * radix, turn);
        for (std::size_t k = 0; k < length; ++k)
            spectrum[k] += own[k % part] * turn[k * r % length * step];
    }
    return spectrum;
}

inline std::vector<Value> turnsOf(std::size_t length) {
    std::vector<Value> turn(length);
    for (std::size_t m = 0; m < length; ++m)
        turn[m] = std::polar(1.0, -kTwoPi * static_cast<double>(m) / static_cast<double>(length));
    return turn;
}

/// Spectrum of values that stand at the lags `first`, first + 1, ... of a circle of `length` lags.
inline std::vector<Value> spectrumOf(const std::vector<Value>& values, std::int64_t first,
                                     std::int64_t length) {
    std::vector<Value> circle(static_cast<std::size_t>(length));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int64_t lag = first + static_cast<std::int64_t>(i);
        circle[static_cast<std::size_t>(((lag % length) + length) % length)] += values[i];
    }
    return transformed(circle.data(), circle.size(), 1, turnsOf(circle.size()));
}

} // namespace echolux::pulse
