// SPDX-License-Identifier: GPL-3.0-or-later
// The frequency response of the stage bandpass, for the plot beside its sliders.
#pragma once

#include "gpu/stage/param_table.hpp"

#include <vector>

namespace echolux {

struct FilterResponse {
    std::vector<double> frequenciesHz; ///< evenly spaced from 0 to half the sampling frequency
    std::vector<double> magnitudeDb;   ///< of the whole stage, not below -200 dB
};

/// `params` are those of a stage bandpass. Pure. Throws Error where the stage's plan() would refuse
/// them.
FilterResponse bandpassResponse(const Params& params, double samplingFrequencyHz, int points = 256);

} // namespace echolux
