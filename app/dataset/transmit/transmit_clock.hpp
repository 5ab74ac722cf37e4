// SPDX-License-Identifier: GPL-3.0-or-later
// Converts between clocks that start when the first element fires and the common clock, whose t = 0
// is when the wavefront crosses the origin.
#pragma once

#include "gpu/core/acquisition.hpp"
#include "gpu/core/firing.hpp"

#include <span>
#include <vector>

namespace echolux {

/// Time in seconds from the first firing until the wavefront crosses the origin, where all elements
/// fire.
double firstFiringLead(const Transmit& transmit, std::span<const Point> elements,
                       double soundSpeedMps, Steering steering = Steering::Tilts);
/// The same where only the elements fire that `transmit`, one of `acquisition`, uses.
double firstFiringLead(const Acquisition& acquisition, const Transmit& transmit);

/// Time in seconds from the wave's passage of the origin of its beam until it crosses the origin of
/// the coordinates; negative for beams beside it.
double beamOriginLead(const Acquisition& acquisition, const Transmit& transmit);

/// Median of the values that are not NaN; NaN where there are none.
double median(std::vector<double> values);

/// Centres of a linear array, x = (k - (n - 1) / 2) pitch.
std::vector<Point> linearArray(std::size_t count, double pitchM);
/// Convex array of radius R: x = R sin th, z = R (cos th - 1), neighbours `pitchM` apart along
/// their chord; its middle is the origin.
std::vector<Point> convexArray(std::size_t count, double pitchM, double radiusM);
/// The same with its edge elements at z = 0, from where MUST and the simulator count depth.
std::vector<Point> convexArrayByEdges(std::size_t count, double pitchM, double radiusM);
/// Median distance of neighbours; 0 for fewer than two elements.
double medianPitch(std::span<const Point> elements);

} // namespace echolux
