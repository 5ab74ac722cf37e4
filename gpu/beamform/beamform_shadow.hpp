// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements fired, and the region of their wave.
#pragma once

#include "gpu/beamform/beamform_geometry.hpp"
#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <vector>

namespace echolux::das {

/// Indices of the elements that fired: those with a weight. Where no weights are recorded: all
/// elements, or in a row-column array those that did not listen.
std::vector<std::size_t> firingElements(const Acquisition& acquisition, std::size_t transmit);

/// The axis along which all firing elements are long; None where not all of them are.
LongAxis longAxisOf(const Probe& probe, const std::vector<std::size_t>& elements);

/// The region between the outer edges of the firing elements, in m. In its focus a wave is at least
/// a wavelength thick (what USTB calls the minimum aperture). Where other waves have their foci
/// beside it, its weight falls to 0 towards these, so that all weights of a place add up to
/// about 1.
Shadow shadowOf(const Acquisition& acquisition, std::size_t transmit, double wavelengthM);

/// Distance in m from a focus within which the wave is thinner than its waist. There it is rather
/// plane than a sphere around the focus.
double flatWithin(const Acquisition& acquisition, std::size_t transmit, const Shadow& shadow);

} // namespace echolux::das
