// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording knows of the aberrating screen that it was made behind.
#pragma once

#include <vector>

namespace echolux {

/// Per element of the probe, on reception.
struct AberrationTruth {
    std::vector<double> delayS;    ///< how much later its echoes come than without a screen
    std::vector<double> amplitude; ///< against 1 without a screen; empty: unknown, or all 1
};

} // namespace echolux
