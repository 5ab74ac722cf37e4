// SPDX-License-Identifier: GPL-3.0-or-later
// How far to the sides of an array its waves go.
#pragma once

#include "gpu/core/acquisition.hpp"

namespace echolux::das {

struct Reach {
    double min = 0.0; ///< m
    double max = 0.0;
};

/// Along `axis` (&Point::x or &Point::y), from the face of the array down to `depth`: where the
/// elements are, and where the main lobe of any transmit goes. `lambda`: wavelength. m
Reach reachOf(const Acquisition& acquisition, double Point::*axis, double depth, double lambda);

} // namespace echolux::das
