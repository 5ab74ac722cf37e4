// SPDX-License-Identifier: GPL-3.0-or-later
// Recognises the wave that a set of firing delays makes.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <optional>
#include <span>

namespace echolux {

struct FittedWave {
    Transmit transmit;    ///< its kind of wave, and its angle or source
    double leadS = 0.0;   ///< time from delay 0 until the wave crosses the origin; for a single
                          ///< element its delay
    double spreadS = 0.0; ///< largest deviation of a delay from the ideal one
};

/// `delaysS` has one entry per element; NaN where it is silent. Empty where no element fires, and
/// where no plane, diverging, focused or single-element wave fits. A part of the array that sends a
/// plane front counts as one element at its centre, if `depthM`, a depth in the middle of the
/// recording, is beyond its near field.
std::optional<FittedWave> fitWave(std::span<const Point> elements, std::span<const double> delaysS,
                                  double soundSpeedMps, double periodS, double depthM);

} // namespace echolux
