// SPDX-License-Identifier: GPL-3.0-or-later
// How often amplitudes occur in a region, beside fully developed speckle of the same power.
#pragma once

#include "app/measure/measurement.hpp"

#include <cstddef>
#include <vector>

namespace echolux::measure {

enum class Counted {
    Amplitudes, ///< A over its RMS; in speckle a Rayleigh distribution
    Powers,     ///< A^2 over its mean; in speckle an exponential distribution
};

/// Densities are shares of the pixels per unit of what is counted.
struct Distribution {
    double binWidth = 0.0;       ///< the first bin begins at 0
    std::vector<double> density; ///< of each bin
    std::vector<double> speckle; ///< the fitted distribution, its mean over each bin
    double beyond = 0.0;         ///< share of the pixels above the last bin
    std::size_t pixels = 0;
};

/// Amplitudes up to 3, powers up to 9, in 10 to 60 bins: about the square root of the number of
/// pixels. Throws Error where the region holds fewer than two pixels, and where all are 0.
Distribution distributionIn(const MeasuredImage& image, const Measurement& region, Counted counted);

} // namespace echolux::measure
