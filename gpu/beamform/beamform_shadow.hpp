// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements fired, and where their wave goes.
#pragma once

#include "gpu/beamform/beamform_geometry.hpp"
#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <vector>

namespace echolux::das {

/// Indices of the elements that fired: those with a weight; where none is recorded, of a
/// row-column array those that did not listen, else all.
std::vector<std::size_t> firingElements(const Acquisition& acquisition, std::size_t transmit);

/// The axis along which the firing elements are long; None unless all are.
LongAxis longAxisOf(const Probe& probe, const std::vector<std::size_t>& elements);

/// Between the outer edges of the firing elements; in its focus a wave is 2 `focus` thick. m.
Shadow shadowOf(const Acquisition& acquisition, std::size_t transmit, double focus);

} // namespace echolux::das
