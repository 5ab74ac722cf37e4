// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of random delays and gains before an array, as a body wall has them.
#pragma once

#include "gpu/echoes/screen_path.hpp"

#include <cstdint>
#include <vector>

namespace echolux::echoes {

/// A thin layer at one depth. Delays, and independently of them gains in dB, are normally
/// distributed with the correlation exp(-(dx / lengthXM)^2 - (dy / lengthYM)^2) between places dx
/// and dy apart. Over the array's elements their mean is 0 and their rms as asked; a screen that is
/// much longer than the array varies less there and is made at most sixteen times as strong.
struct ScreenDesign {
    double depthM = 0.0;
    double delayRmsS = 50e-9;
    double gainRmsDb = 0.0;
    double lengthXM = 3e-3;
    double lengthYM = 3e-3;
    std::uint64_t seed = 1;

    bool operator==(const ScreenDesign&) const = default;
};

/// Places that rays may pass, in the coordinates of echoes::Screen.
struct ScreenExtent {
    double halfXM = 0.0;
    double halfYM = 0.0; ///< 0: all lies in the plane y = 0
};

/// Throws Error, a sentence, where one of the screens is too finely grained for `extent`.
void checkGrain(const std::vector<ScreenDesign>& designs, const ScreenExtent& extent);

/// The same values at a place whatever the extent, but for the mean and the rms that `elements`
/// decide. Throws as checkGrain().
ScreenTables makeScreens(const std::vector<ScreenDesign>& designs,
                         const std::vector<Point>& elements, const ScreenShape& shape,
                         const ScreenExtent& extent);

/// One number of each per element of a probe.
struct ElementScreen {
    std::vector<double> delayS;    ///< how much later its echoes come than without a screen
    std::vector<double> amplitude; ///< against 1 without a screen
};

/// What a screen that lies on the elements, whatever its depth, does to each. A curved array's
/// elements are as far apart as their chords say.
ElementScreen screenOnElements(const ScreenDesign& design, const Probe& probe);
/// Throws as checkGrain().
void checkGrain(const ScreenDesign& design, const Probe& probe);

} // namespace echolux::echoes
