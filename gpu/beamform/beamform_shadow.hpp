// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements fired, and the region of their wave.
#pragma once

#include "gpu/beamform/beamform_geometry.hpp"
#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <vector>

namespace echolux::das {

/// Indices of the elements that fired: those with a weight. Where no weights are recorded: the
/// element nearest to the source of a wave of one element; else all elements, or in a row-column
/// array those that did not listen.
std::vector<std::size_t> firingElements(const Acquisition& acquisition, std::size_t transmit);

/// The axis along which all firing elements are long; None where not all of them are.
LongAxis longAxisOf(const Probe& probe, const std::vector<std::size_t>& elements);

/// The region between the outer edges of the firing elements, in m. It is at least a wavelength
/// thick. A focused wave is a Gaussian beam. From an aperture of the width D, focused at the range
/// F, its waist is 2 lambda F / (pi D), so that far from the focus it is as wide as its edges are
/// apart. Where the foci of other waves lie beside it, its waist reaches at least halfway to them.
Shadow shadowOf(const Acquisition& acquisition, std::size_t transmit, double wavelengthM);

/// Distance in m from a focus within which the wave is thinner than its waist, which is the
/// Rayleigh distance of a Gaussian beam: 2 F / D times the waist, of the wider aperture.
double flatWithin(const Acquisition& acquisition, std::size_t transmit, const Shadow& shadow);

} // namespace echolux::das
