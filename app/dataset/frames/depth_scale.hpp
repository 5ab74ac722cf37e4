// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the band of wavelengths from a device's depth step.
#pragma once

#include <cstdint>

namespace echolux {

/// Bandwidth B in m for which the depth step (c^2 - B^2 / 4) / (2 B) (n - 1) / n is `depthStepM`,
/// in air, with c the centre wavelength and n the number of samples of a spectrum.
double bandwidthOfDepthStep(double centreM, double depthStepM, std::int64_t samples);

} // namespace echolux
