// SPDX-License-Identifier: GPL-3.0-or-later
// The histogram of an image's values, counted where the image lies.
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstdint>

namespace echolux {

inline constexpr int kHistogramBins = 256;

/// The bins divide `from` <= value < `to` evenly.
struct HistogramScale {
    float from = 0.0F;
    float to = 1.0F;      ///< more than `from`
    float nothing = 0.0F; ///< values at or below it mean "no value", as lowestOf() says

    bool operator==(const HistogramScale&) const = default;
};

/// How many values there are of each kind. The bins come first.
struct HistogramCounts {
    static constexpr int kBelow = kHistogramBins;       ///< lie below the first bin
    static constexpr int kAbove = kHistogramBins + 1;   ///< lie at `to` or above
    static constexpr int kNothing = kHistogramBins + 2; ///< are NaN, infinite, or no value
    static constexpr int kKinds = kHistogramBins + 3;

    std::uint32_t of[kKinds] = {};

    bool operator==(const HistogramCounts&) const = default;
};

/// Enqueues *counts = the histogram of `count` floats. Both lie in compute memory. `name` is for
/// error messages.
void countValues(const Exec& exec, const char* name, const float* values, std::int64_t count,
                 const HistogramScale& scale, HistogramCounts* counts);

} // namespace echolux
