// SPDX-License-Identifier: GPL-3.0-or-later
// Codes for 4xUP, and what becomes of them in double precision.
#pragma once

#include "gpu/ladder/four_times_up.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

namespace echolux::ladder {

constexpr int kEveryNumberOfTaps[] = {7, 11, 15, 22, 31, 50};

inline std::vector<std::int16_t> noiseCodes(std::size_t count) {
    std::mt19937 random(5);
    std::uniform_int_distribution<int> uniform(-32767, 32767);
    std::vector<std::int16_t> codes(count);
    for (std::int16_t& code : codes) code = static_cast<std::int16_t>(uniform(random));
    return codes;
}

/// The document's formula anew: floor(T / 2) samples before, the others behind.
inline double upReference(const UpProblem& problem, const std::vector<std::int16_t>& codes,
                          std::size_t at) {
    const auto samples = static_cast<std::ptrdiff_t>(problem.samples);
    const auto k = static_cast<std::ptrdiff_t>(at / 4);
    const std::ptrdiff_t first = k / samples * samples;
    if (at % 4 == 0) return codes[static_cast<std::size_t>(k)] / 32767.0;
    double sum = 0.0;
    const std::ptrdiff_t before = problem.taps / 2;
    for (std::ptrdiff_t n = k - before; n < k - before + problem.taps; ++n) {
        if (n < first || n >= first + samples) continue;
        const double x =
            std::numbers::pi * (static_cast<double>(n - k) - 0.25 * static_cast<double>(at % 4));
        sum += std::sin(x) / x * codes[static_cast<std::size_t>(n)] / 32767.0;
    }
    return sum;
}

/// What the filters make of a signal that is kUnloaded everywhere.
inline double upOfUnloaded(int taps, std::size_t phase) {
    if (phase == 0) return kUnloaded;
    double sum = 0.0;
    for (int offset = -taps / 2; offset < taps - taps / 2; ++offset) {
        const double x = std::numbers::pi * (offset - 0.25 * static_cast<double>(phase));
        sum += std::sin(x) / x;
    }
    return kUnloaded * sum;
}

} // namespace echolux::ladder
