// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of equal delay over the plane of an image (Jarosik, Lewandowski and Yiu 2024, Eq. 1): when
// a wave is at a point, and how long its echo takes to an element.
#pragma once

#include "app/lab/beam_geometry.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace echolux::lab {

enum class DelayLeg {
    Transmit, ///< when the wave is at the point, on the clock of Transmit::firstSampleS
    Receive,  ///< from the point to the element
    Both      ///< when the echo is at the element, on that clock
};

struct DelayMapOf {
    DelayLeg leg = DelayLeg::Transmit;
    /// Number in the frame. Where each image line has its own transmit, that one counts instead.
    std::int64_t transmit = 0;
    std::size_t element = 0;
    bool operator==(const DelayMapOf&) const = default;
};

/// The delay at one point in s, by the beamformer's own functions. Preconditions: the transmit is
/// switched on, and the element exists.
double delayAt(const BeamGeometry& geometry, const DelayMapOf& of, PlanePoint point);

/// All points of the image with one delay.
struct DelayContour {
    double timeS = 0.0;
    std::vector<std::pair<PlanePoint, PlanePoint>> pieces; ///< straight, in no order
};

/// Contours at multiples of 1, 2 or 5 times a power of ten, at most about a dozen. They end at the
/// image's edge; on a fan of beams at its outer beams. A transmit that is switched off has them
/// too. No contours where the frame lacks the transmit or the element.
std::vector<DelayContour> delayContours(const BeamGeometry& geometry, const DelayMapOf& of);

} // namespace echolux::lab
