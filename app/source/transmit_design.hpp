// SPDX-License-Identifier: GPL-3.0-or-later
// Transmits of a sequence: beams that walk along the array or are steered, diverging waves, single
// elements.
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

/// Weight at u, from -1 to 1 across the aperture. Tukey tapers half of the aperture.
double windowAt(ApertureWindow window, double u);

/// Consecutive elements of a row.
struct ActiveElements {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

/// `lines` apertures of `active` elements each, spaced evenly from one end of `elements` to the
/// other. Throws Error that names the command's options where `active` exceeds the number of
/// elements.
std::vector<ActiveElements> walk(std::int64_t elements, std::int64_t active, std::int64_t lines);

/// The middle of the arc or line through the active elements, and the direction that it faces.
struct Middle {
    Point place;
    Point normal;
};
Middle middleOf(const Probe& probe, ActiveElements active);

/// Weights of all elements of `probe`: `window` over the active ones, 0 for the others.
std::vector<float> weightsOf(const Probe& probe, ActiveElements active, ApertureWindow window);

/// A beam focused at `focusM` in front of the middle of the active elements.
Transmit focusedLine(const Probe& probe, ActiveElements active, double focusM,
                     ApertureWindow window);
/// A diverging wave from a virtual source `behindM` behind that middle.
Transmit divergingWave(const Probe& probe, ActiveElements active, double behindM,
                       ApertureWindow window);
/// A wave of the element `index` alone.
Transmit singleElement(const Probe& probe, std::int64_t index);
/// A beam of all elements, focused at the distance `focusM` from the origin in the direction
/// `angleRad`.
Transmit steeredLine(const Probe& probe, double angleRad, double focusM, ApertureWindow window);
/// A diverging wave of all elements towards `angleRad`, from a virtual source `behindM` behind the
/// origin.
Transmit steeredDiverging(const Probe& probe, double angleRad, double behindM,
                          ApertureWindow window);
/// A wave of all elements of a matrix array in the direction of two angles: a plane wave, or one
/// whose source lies `metres` along that direction; negative for a virtual source behind the array.
Transmit waveTowards(const Probe& probe, Wave wave, double angleRad, double elevationRad,
                     Steering steering, double metres);
/// Adds a wave that one set of lines of a row-column array sends and the other one hears: all lines
/// of the set send it, unless it has weights of its own.
void addCrossed(Acquisition& acquisition, bool columnsSend, Transmit transmit);

} // namespace echolux
