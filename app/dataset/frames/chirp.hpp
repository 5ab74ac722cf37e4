// SPDX-License-Identifier: GPL-3.0-or-later
// Inverts a chirp: from the wavenumber of each pixel to the pixel of each wavenumber.
#pragma once

#include <span>
#include <vector>

namespace echolux {

/// `chirp` is the wavenumber index of each pixel: finite, strictly monotonic, at least two values.
/// The result is the fractional pixel r[m] where the chirp, linear between pixels, has the value
/// chirp[0] + m (chirp[n-1] - chirp[0]) / (n - 1); see Spectrometer::resampling.
std::vector<double> inverseOfChirp(std::span<const double> chirp);

} // namespace echolux
