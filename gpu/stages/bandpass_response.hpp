// SPDX-License-Identifier: GPL-3.0-or-later
// The response of the bandpass stage, for the plot beside its sliders.
#pragma once

#include "gpu/stage/param_table.hpp"

#include <vector>

namespace echolux {

struct FilterResponse {
    std::vector<double> frequenciesHz; ///< evenly from 0 to half the sampling frequency
    std::vector<double> magnitudeDb;   ///< of all that the stage does, not below -200 dB
};

/// `params` of a bandpass stage. Pure; throws Error where the stage's plan would refuse them.
FilterResponse bandpassResponse(const Params& params, double samplingFrequencyHz, int points = 256);

} // namespace echolux
