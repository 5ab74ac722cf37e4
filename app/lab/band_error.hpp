// SPDX-License-Identifier: GPL-3.0-or-later
// The error of an interpolator over the band of the echoes, without an image.
#pragma once

#include "app/lab/interpolator.hpp"

namespace echolux::lab {

/// RMS error of reading exp(i 2 pi f n) at fractions of a sample, relative to its amplitude of 1,
/// over even fractions and over the frequencies of `band` with the weight of its echoes' power:
///   e^2 = sum_f sum_d W(f)^2 |read(f, d) - exp(i 2 pi f d)|^2 / sum_f sum_d W(f)^2,
/// W the band's Gaussian, half its peak (-6 dB) at centre +- width / 2, out to where it is 1/100.
double bandError(const Interpolator& interpolator, EchoBand band);

} // namespace echolux::lab
