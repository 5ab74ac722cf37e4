// SPDX-License-Identifier: GPL-3.0-or-later
// The line across a beam along which its shape is computed, and the line along it.
#pragma once

#include "app/lab/beam_geometry.hpp"

#include <cstddef>
#include <vector>

namespace echolux::lab {

/// Across the image at the range of one pixel: an arc about the sector's apex, or a straight line.
struct BeamSection {
    bool overAngle = false; ///< true: positions are in rad about the apex; false: lateral, in m
    double first = 0.0;     ///< position at the image's left edge
    double last = 0.0;
    double pixelAt = 0.0; ///< position of the pixel
    double depthM = 0.0;  ///< depth of the pixel; where overAngle, its range
    PlanePoint apex = {}; ///< where overAngle
    double radiusM = 0.0; ///< where overAngle: distance of the pixel from the apex

    PlanePoint at(double position) const;
    /// `count` even positions from `from` to `to`; count is at least 2.
    static std::vector<double> evenly(double from, double to, std::size_t count);
};

BeamSection sectionAt(const BeamGeometry& geometry, const PlanePoint& pixel);

/// The line from the array through one pixel: straight down, or the line of the sector that the
/// pixel lies on.
struct BeamLine {
    PlanePoint from = {};
    PlanePoint way = {0.0, 1.0}; ///< unit vector
    double firstM = 0.0;         ///< range of the image's first row
    double lastM = 0.0;

    PlanePoint at(double rangeM) const { return from + rangeM * way; }
};

BeamLine lineThrough(const BeamGeometry& geometry, const PlanePoint& pixel);

} // namespace echolux::lab
