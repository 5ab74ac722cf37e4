// SPDX-License-Identifier: GPL-3.0-or-later
// Aberrating screens in front of a simulated array, from the command line.
#pragma once

#include "app/source/aberrating_screens.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace echolux {

struct ScreenOptions {
    std::string wall;                 ///< empty: none
    std::vector<std::string> screens; ///< "delay=50ns,gain=3dB,length=3mm,depth=0mm,seed=1"
    std::string passedBy = "both";

    void addTo(CLI::App& command);
    /// The wall's screens, then the others; those without a seed count from `seed` up. Throws Error
    /// where a text makes no sense.
    ScreenSetup setup(double soundSpeedMps, std::uint64_t seed) const;
    /// " --wall NAME --screen TEXT ...", with every value; empty without screens.
    std::string words(double soundSpeedMps, std::uint64_t seed) const;
};

/// Of a recording's notes: "50 ns, 3 dB rms, 3 x 3 mm, 0 mm deep, seed 1".
std::string describe(const ScreenDesign& design);

/// Parts of `text` that are not given keep their value in `design`. Throws Error.
ScreenDesign parseScreen(const std::string& text, ScreenDesign design);

} // namespace echolux
