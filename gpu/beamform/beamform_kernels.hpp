// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that compute an image: the formula pixel by pixel on either backend, and the loop of
// the CPU. Samples and image are float or Complex.
#pragma once

#include "gpu/beamform/beamform_formula.hpp"
#include "gpu/exec/exec.hpp"

#include <cstdint>

namespace echolux::das {

/// The reference. Computes `count` pixels: pixel number firstPixel + i * stride, counted row by
/// row, into image[i].
template <class Sample> void beamformReference(const Exec& exec, const Constants& constants,
                                               const Sample* samples, Sample* image,
                                               std::int64_t firstPixel, std::int64_t stride,
                                               std::int64_t count);

/// Delayed channel data: writes to images [element][pixel] the contribution of each element to the
/// coherent sum over the transmits, with weights and phase. The sum over the elements is the image.
template <class Sample> void delayedChannels(const Exec& exec, const Constants& constants,
                                             const Sample* samples, Sample* images);

/// Computes the same image on the host, in tiles that share delays and weights between transmits.
template <class Sample>
void beamformOnHost(const Constants& constants, const Sample* samples, Sample* image);

} // namespace echolux::das
