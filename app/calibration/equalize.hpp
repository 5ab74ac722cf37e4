// SPDX-License-Identifier: GPL-3.0-or-later
// Flattens the power of spectra along the wavenumber and, a little, across the lines.
#pragma once

#include "gpu/core/complex.hpp"

#include <cstdint>
#include <span>

namespace echolux {

/// Of [line][sample], in place: every sample times g(k), every frequency across the lines times
/// h(f), with g = (P / max P + 0.003)^(-1/2) of the lines' mean power P, h = (Q / max Q +
/// 0.03)^(-1/2) of the samples' mean power Q, both smoothed. The ends of the spectrum, where higher
/// terms of the dispersion show, then count as much as its middle, unless they are dark; and
/// neighbouring lines that share a speckle count apart. No phase changes along a line. Fewer than 8
/// lines keep Q.
void equalize(std::span<float> spectra, std::int64_t samples);
void equalize(std::span<Complex> spectra, std::int64_t samples);

} // namespace echolux
