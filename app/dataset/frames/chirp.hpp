// SPDX-License-Identifier: GPL-3.0-or-later
// From the wavenumber of each pixel to the pixel of each wavenumber.
#pragma once

#include <span>
#include <vector>

namespace echolux {

/// `chirp` gives the wavenumber index of each pixel, strictly monotonic and finite, at least two.
/// Result: the fractional pixel r[m] at which the chirp, straight between pixels, takes the value
/// chirp[0] + m (chirp[n-1] - chirp[0]) / (n - 1); see Spectrometer::resampling.
std::vector<double> inverseOfChirp(std::span<const double> chirp);

} // namespace echolux
