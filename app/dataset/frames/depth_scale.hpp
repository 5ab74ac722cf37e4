// SPDX-License-Identifier: GPL-3.0-or-later
// From a depth step that a device states to the band of wavelengths that gives it.
#pragma once

#include <cstdint>

namespace echolux {

/// Bandwidth B in m for which the depth step (c^2 - B^2 / 4) / (2 B) (n - 1) / n is `depthStepM`,
/// in air; c the centre wavelength, n the samples of a spectrum.
double bandwidthOfDepthStep(double centreM, double depthStepM, std::int64_t samples);

} // namespace echolux
