// SPDX-License-Identifier: GPL-3.0-or-later
// Finds where beams begin on the array, for files that tell which elements fire but no origin.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// The line or arc of the element centres of a linear or convex array, in the plane x-z.
class ArrayLine {
public:
    /// Empty for arrays of other shapes.
    static std::optional<ArrayLine> of(const Probe& probe, double soundSpeedMps);

    bool isCurved() const { return m_radius > 0.0; }
    const Point& centre() const {
        return m_centre;
    } ///< centre of the arc; of a straight array its
      ///< middle
    /// Angle in rad between the array's normal at `origin` and the direction from there to
    /// `target`; positive towards +x.
    double angleTo(const Point& target, const Point& origin) const;
    /// The origin of a beam that leaves the array at `angleRad` to the normal and meets `target`.
    /// Empty where there is none.
    std::optional<Point> originOf(const Point& target, double angleRad) const;

private:
    Point m_centre;
    double m_radius = 0.0; ///< 0: straight
};

/// The middle of the elements with a weight other than 0, or of all elements where `apodization` is
/// empty. For a row of elements it lies between the middle ones, so it is on the arc of a curved
/// array. For other sets it is the mean of the places.
Point middleOfFiring(std::span<const float> apodization, std::span<const Point> elements);

/// Sets the origin of each focused transmit, where no transmit has an origin (all are {}). A beam
/// begins in the middle of the elements that fire. One exception: where apertures walk along a
/// linear or convex array and all beams leave it at the same angle, to within a pitch. Then a beam
/// begins where the line to its focus leaves the array at exactly that angle, because middles are
/// known only to half a pitch. Apertures that are cut off at the end of the array get the direction
/// of the others, because their middle tells nothing. Returns the number of such apertures.
std::size_t placeBeams(const Probe& probe, double soundSpeedMps, std::vector<Transmit>& transmits);
/// The sentence about them in a recording's notes.
std::string cutOffNote(std::size_t apertures);

} // namespace echolux
