// SPDX-License-Identifier: GPL-3.0-or-later
// Flattens the power of spectra along the wavenumber and, a little, across the lines.
#pragma once

#include "gpu/core/complex.hpp"

#include <cstdint>
#include <span>

namespace echolux {

/// Changes [line][sample] in place: multiplies every sample by g(k) and every frequency across the
/// lines by h(f), with g = (P / max P + 0.003)^(-1/2) of the lines' mean power P, h = (Q / max Q +
/// 0.03)^(-1/2) of the samples' mean power Q, both smoothed. Then the ends of the spectrum, where
/// higher terms of the dispersion matter most, count as much as its middle unless they are dark.
/// Neighbouring lines that share a speckle count separately. No phase along a line changes. With
/// fewer than 8 lines h(f) = 1.
void equalize(std::span<float> spectra, std::int64_t samples);
void equalize(std::span<Complex> spectra, std::int64_t samples);

} // namespace echolux
