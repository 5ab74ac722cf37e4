// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences of transmits: beams that walk or steer, diverging and plane waves.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// Weights over the active elements of a transmit.
enum class ApertureWindow { Rectangular, Hann, Tukey };

/// u from -1 to 1 across the aperture; Tukey with a tapered half.
double windowAt(ApertureWindow window, double u);

/// Elements of a row that are next to each other.
struct ActiveElements {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

/// `lines` apertures of `active` elements that walk evenly over `elements`, the first one at one
/// end, the last at the other. Throws Error, naming the command's options, for more than there are.
std::vector<ActiveElements> walk(std::int64_t elements, std::int64_t active, std::int64_t lines);

/// Middle of the arc or line through the active elements, and the direction that they face.
struct Middle {
    Point place;
    Point normal;
};
Middle middleOf(const Probe& probe, ActiveElements active);

/// Weights of all elements of `probe`: `window` over the active ones, 0 for the others.
std::vector<float> weightsOf(const Probe& probe, ActiveElements active, ApertureWindow window);

/// Focused `focusM` in front of the middle of the active elements.
Transmit focusedLine(const Probe& probe, ActiveElements active, double focusM,
                     ApertureWindow window);
/// From `behindM` behind it.
Transmit divergingWave(const Probe& probe, ActiveElements active, double behindM,
                       ApertureWindow window);
/// The element `index` by itself.
Transmit singleElement(const Probe& probe, std::int64_t index);
/// Of all elements, focused at the distance `focusM` from the origin in the direction `angleRad`.
Transmit steeredLine(const Probe& probe, double angleRad, double focusM, ApertureWindow window);
/// Of all elements, towards `angleRad` from `behindM` behind the origin.
Transmit steeredDiverging(const Probe& probe, double angleRad, double behindM,
                          ApertureWindow window);

} // namespace echolux
