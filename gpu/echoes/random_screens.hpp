// SPDX-License-Identifier: GPL-3.0-or-later
// Screens with random delays and gains before an array, as in a body wall.
#pragma once

#include "gpu/echoes/screen_path.hpp"

#include <cstdint>
#include <vector>

namespace echolux::echoes {

/// A thin layer at one depth. Delays, and independently of them gains in dB, are normally
/// distributed with the correlation exp(-(dx / lengthXM)^2 - (dy / lengthYM)^2) between places dx
/// and dy apart. Over the array's elements their mean is 0 and their rms is the requested one. A
/// screen with a correlation length much greater than the array varies less over the array; it is
/// amplified at most sixteen times.
struct ScreenDesign {
    double depthM = 0.0;
    double delayRmsS = 50e-9;
    double gainRmsDb = 0.0;
    double lengthXM = 3e-3;
    double lengthYM = 3e-3;
    std::uint64_t seed = 1;

    bool operator==(const ScreenDesign&) const = default;
};

/// The extent of the places that rays may pass, in the coordinates of echoes::Screen.
struct ScreenExtent {
    double halfXM = 0.0;
    double halfYM = 0.0; ///< 0: everything is in the plane y = 0
};

/// Throws Error, a sentence, where the structure of a screen is too fine for `extent`.
void checkGrain(const std::vector<ScreenDesign>& designs, const ScreenExtent& extent);

/// The value at a place does not depend on the extent, except for the mean and the rms, which
/// `elements` determine. Throws as checkGrain() does.
ScreenTables makeScreens(const std::vector<ScreenDesign>& designs,
                         const std::vector<Point>& elements, const ScreenShape& shape,
                         const ScreenExtent& extent);

/// Delay and amplitude of each element of a probe.
struct ElementScreen {
    std::vector<double> delayS;    ///< how much later the element's echoes come than without a
                                   ///< screen
    std::vector<double> amplitude; ///< relative to 1 without a screen
};

/// The effect of a screen on each element, where the screen lies on the elements; its depth does
/// not count. In a curved array, distances of elements are their chords. Delays have no slope over
/// the array: a slope moves the image, and no echo tells it from targets that lie elsewhere.
ElementScreen screenOnElements(const ScreenDesign& design, const Probe& probe);
/// Throws as checkGrain() above.
void checkGrain(const ScreenDesign& design, const Probe& probe);

} // namespace echolux::echoes
