// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the stage `aberrating_screen`, and the true screen that they define.
#pragma once

#include "gpu/echoes/random_screens.hpp"

#include <cstdint>

namespace echolux {

struct AberratingScreenParams {
    double delayRmsS = 50e-9;
    double gainRmsDb = 3.0;
    double lengthM = 3e-3;         ///< correlation length along the array
    double elevationLengthM = 0.0; ///< correlation length across the array; 0: the same as along it
    std::int64_t seed = 1;
    bool transmit = true; ///< waves that a single element sends pass the screen, too
};

/// The screen's delay and amplitude of each element.
echoes::ElementScreen screenBefore(const Probe& probe, const AberratingScreenParams& params);

} // namespace echolux
