// SPDX-License-Identifier: GPL-3.0-or-later
// Screens in front of a simulated array: their design, walls made of several screens, and their
// true delays.
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
    bool onTransmit = true; ///< sent waves pass the screens too; false: only echoes do

    static constexpr std::size_t kMost = 8;
    bool any() const { return !screens.empty(); }
};

/// Throws Error that names the command's option. `depthM` is the depth where the phantom ends.
void checkScreens(const ScreenSetup& setup, double depthM);

/// The time in seconds by which screens may move an echo earlier or later. One echo in ten thousand
/// moves by more.
double screenMarginS(const ScreenSetup& setup);

/// The delay and gain of each element for echoes of a point at `focus`, along straight rays. The
/// mean and the part that is linear along the array are not removed.
AberrationTruth aberrationTruth(const echoes::ScreenTables& screens,
                                const std::vector<echoes::ElementFace>& faces, const Point& focus);
/// The same for elements without extent.
AberrationTruth aberrationTruth(const echoes::ScreenTables& screens,
                                const std::vector<Point>& elements, const Point& focus);

/// The depth in the middle between `depthM` and the deeper of the deepest screen and `startM`.
double behindScreens(const ScreenSetup& setup, double startM, double depthM);

/// The names that wallScreens() knows, each with one line of help.
const std::vector<std::pair<std::string, std::string>>& wallNames();
/// Throws Error for an unknown name. The screens have the seeds `seed`, `seed` + 1, ...
std::vector<ScreenDesign> wallScreens(const std::string& name, double soundSpeedMps,
                                      std::uint64_t seed);

} // namespace echolux
