// SPDX-License-Identifier: GPL-3.0-or-later
// The frequency response of the stage bandpass, for the plot beside its sliders.
#pragma once

#include "gpu/stage/shown_stage.hpp"

namespace echolux {

/// From 0 to half the sampling frequency in MHz; dB of the whole stage, not below -200 dB. `params`
/// are those of a stage bandpass. Pure. Throws Error where the stage's plan() would refuse them.
StageCurve bandpassResponse(const Params& params, double samplingFrequencyHz, int points = 256);

} // namespace echolux
