// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of random delays and gains in front of a simulated array, as a body wall has them.
#pragma once

#include "app/dataset/recording/aberration_truth.hpp"
#include "gpu/echoes/screen_path.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

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

struct ScreenSetup {
    std::vector<ScreenDesign> screens;
    bool onTransmit = true; ///< sent waves pass them too, not echoes alone

    static constexpr std::size_t kMost = 8;
    bool any() const { return !screens.empty(); }
};

/// Throws Error, naming the command's option; `depthM` is where the phantom ends.
void checkScreens(const ScreenSetup& setup, double depthM);

/// By which echoes come earlier or later at most, but for one in ten thousand. [s]
double screenMarginS(const ScreenSetup& setup);

/// Places that rays may pass, in the coordinates of echoes::Screen.
struct ScreenExtent {
    double halfXM = 0.0;
    double halfYM = 0.0; ///< 0: all lies in the plane y = 0
};

/// The same values at a place whatever the extent, but for the mean and the rms that `elements`
/// decide. Throws Error where a screen would be too finely grained for its extent.
echoes::ScreenTables makeScreens(const ScreenSetup& setup, const std::vector<Point>& elements,
                                 const echoes::ScreenShape& shape, const ScreenExtent& extent);

/// What each element hears of a point at `focus`: along the straight ways there. The mean, and
/// what is linear along the array, are left in.
AberrationTruth aberrationTruth(const echoes::ScreenTables& screens,
                                const std::vector<echoes::ElementFace>& faces, const Point& focus);
/// The same of elements without extent.
AberrationTruth aberrationTruth(const echoes::ScreenTables& screens,
                                const std::vector<Point>& elements, const Point& focus);

/// Middle between the deepest screen, or `startM`, and `depthM`.
double behindScreens(const ScreenSetup& setup, double startM, double depthM);

/// Walls that wallScreens() knows, each with one line of help.
const std::vector<std::pair<std::string, std::string>>& wallNames();
/// Throws Error for an unknown name. Seeds count from `seed` up.
std::vector<ScreenDesign> wallScreens(const std::string& name, double soundSpeedMps,
                                      std::uint64_t seed);

} // namespace echolux
