// SPDX-License-Identifier: GPL-3.0-or-later
// The ways to compute an image: the formula pixel by pixel on either backend, and the loop that the
// CPU runs. Samples and image are float or Complex.
#pragma once

#include "gpu/beamform/beamform_formula.hpp"
#include "gpu/exec/exec.hpp"

#include <cstdint>

namespace echolux::das {

/// The reference. Computes `count` pixels, those numbered firstPixel + i * stride, row by row, into
/// image[i].
template <class Sample> void beamformReference(const Exec& exec, const Constants& constants,
                                               const Sample* samples, Sample* image,
                                               std::int64_t firstPixel, std::int64_t stride,
                                               std::int64_t count);

/// Delayed channel data: into images [element][pixel] what each element gives to the coherent sum
/// over the transmits, weights and phase included; the sum over the elements is the image.
template <class Sample> void delayedChannels(const Exec& exec, const Constants& constants,
                                             const Sample* samples, Sample* images);

/// The same image on the host, by tiles that share delays and weights between transmits.
template <class Sample>
void beamformOnHost(const Constants& constants, const Sample* samples, Sample* image);

} // namespace echolux::das
