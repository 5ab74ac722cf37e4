// SPDX-License-Identifier: GPL-3.0-or-later
// Options for aberrating screens in front of a simulated array.
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
    std::string wall;                 ///< name of a wall (see wallNames()); empty: none
    std::vector<std::string> screens; ///< "delay=50ns,gain=3dB,length=3mm,depth=0mm,seed=1"
    std::string passedBy = "both";

    void addTo(CLI::App& command);
    /// The wall's screens, then the others. Screens without a seed get `seed`, `seed` + 1, ...
    /// Throws Error where a text makes no sense.
    ScreenSetup setup(double soundSpeedMps, std::uint64_t seed) const;
    /// " --wall NAME --screen TEXT ...", with all values. Empty without screens.
    std::string words(double soundSpeedMps, std::uint64_t seed) const;
};

/// For a recording's notes: "50 ns, 3 dB rms, 3 x 3 mm, 0 mm deep, seed 1".
std::string describe(const ScreenDesign& design);

/// Values that `text` does not give stay as in `design`. Throws Error.
ScreenDesign parseScreen(const std::string& text, ScreenDesign design);

} // namespace echolux
