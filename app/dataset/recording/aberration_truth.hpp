// SPDX-License-Identifier: GPL-3.0-or-later
// The true aberrating screen of a recording, where it is known.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// Delays and amplitudes per element of the probe, on reception.
struct AberrationTruth {
    std::vector<double> delayS;    ///< how much later the element's echoes come than without a
                                   ///< screen
    std::vector<double> amplitude; ///< relative to 1 without a screen; empty: unknown, or all 1

    bool operator==(const AberrationTruth&) const = default;
};

/// Why the screen is impossible for a probe of `elements` elements: a text that begins with "its
/// ...". Empty where it fits.
std::optional<std::string> contradictionIn(const AberrationTruth& truth, std::size_t elements);

/// Figures that describe a screen.
struct AberrationFigures {
    double delayRmsS = 0.0; ///< relative to the mean of all elements
    double leastDelayS = 0.0;
    double greatestDelayS = 0.0;
    double gainRmsDb = 0.0; ///< of 20 log10 amplitude, relative to the mean, without silent
                            ///< elements
    /// Distances along x and along y where the correlation of delays falls to 1/e; 0: not within
    /// the array.
    double lengthXM = 0.0;
    double lengthYM = 0.0;
};

/// Precondition: the screen fits `elements`.
AberrationFigures figuresOf(const AberrationTruth& truth, const std::vector<Point>& elements);

} // namespace echolux
