// SPDX-License-Identifier: GPL-3.0-or-later
// Recognises the wave that a set of firing delays sends out.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <optional>
#include <span>

namespace echolux {

struct FittedWave {
    Transmit transmit;  ///< wave, angle or source
    double leadS = 0.0; ///< from delay 0 until the wave crosses the origin; one element: its delay
    double spreadS = 0.0; ///< largest deviation of a delay from the ideal one
};

/// `delaysS` has one entry per element, NaN where it is silent. Nothing where no element fires or
/// no plane, diverging, focused or single-element wave fits. A part of the array that sends out a
/// plane front counts as one element at its centre where `depthM`, a depth in the midst of the
/// recording, lies beyond its near field.
std::optional<FittedWave> fitWave(std::span<const Point> elements, std::span<const double> delaysS,
                                  double soundSpeedMps, double periodS, double depthM);

} // namespace echolux
