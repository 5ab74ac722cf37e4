// SPDX-License-Identifier: GPL-3.0-or-later
// How far the waves of an array reach sideways.
#pragma once

#include "gpu/core/acquisition.hpp"

namespace echolux::das {

struct Reach {
    double min = 0.0; ///< m
    double max = 0.0;
};

/// The extent along `axis` (&Point::x or &Point::y), in m, from the array's face down to `depth`.
/// It covers the elements and the main lobe of every transmit. `lambda` is the wavelength.
Reach reachOf(const Acquisition& acquisition, double Point::*axis, double depth, double lambda);

} // namespace echolux::das
