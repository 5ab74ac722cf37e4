// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording knows of the aberrating screen that it was made behind.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// Per element of the probe, on reception.
struct AberrationTruth {
    std::vector<double> delayS;    ///< how much later its echoes come than without a screen
    std::vector<double> amplitude; ///< against 1 without a screen; empty: unknown, or all 1

    bool operator==(const AberrationTruth&) const = default;
};

/// What makes it impossible for a probe of `elements`, as "its ..."; nothing where it fits.
std::optional<std::string> contradictionIn(const AberrationTruth& truth, std::size_t elements);

/// What people ask of a screen.
struct AberrationFigures {
    double delayRmsS = 0.0; ///< about the mean of all elements
    double leastDelayS = 0.0;
    double greatestDelayS = 0.0;
    double gainRmsDb = 0.0; ///< of 20 log10 amplitude, about the mean; silent elements left out
    /// Where the correlation of delays falls to 1/e, along x and along y; 0: not within the array.
    double lengthXM = 0.0;
    double lengthYM = 0.0;
};

/// Of a screen that fits `elements`.
AberrationFigures figuresOf(const AberrationTruth& truth, const std::vector<Point>& elements);

} // namespace echolux
