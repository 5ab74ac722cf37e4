// SPDX-License-Identifier: GPL-3.0-or-later
// Screens in front of a simulated array: what is asked of them, walls, and their truth.
#pragma once

#include "app/dataset/recording/aberration_truth.hpp"
#include "gpu/echoes/random_screens.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

using echoes::ScreenDesign;
using echoes::ScreenExtent;

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
