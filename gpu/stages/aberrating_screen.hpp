// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the stage `aberrating_screen`, for those who want to know the truth.
#pragma once

#include "gpu/echoes/random_screens.hpp"

#include <cstdint>

namespace echolux {

struct AberratingScreenParams {
    double delayRmsS = 50e-9;
    double gainRmsDb = 3.0;
    double lengthM = 3e-3;         ///< of correlation, along the array
    double elevationLengthM = 0.0; ///< across it; 0: as along it
    std::int64_t seed = 1;
    bool transmit = true; ///< single elements' firings pass it, too
};

/// One number of each per element.
echoes::ElementScreen screenBefore(const Probe& probe, const AberratingScreenParams& params);

} // namespace echolux
