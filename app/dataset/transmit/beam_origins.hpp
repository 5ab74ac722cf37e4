// SPDX-License-Identifier: GPL-3.0-or-later
// Where on the array beams begin, for files that say which elements fire but not that.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// The line on which the centres of a linear or convex array lie, in the plane x-z.
class ArrayLine {
public:
    /// Nothing for arrays of other shapes.
    static std::optional<ArrayLine> of(const Probe& probe, double soundSpeedMps);

    bool isCurved() const { return m_radius > 0.0; }
    const Point& centre() const { return m_centre; } ///< of the arc; else the array's middle
    /// Between the array's normal at `origin` and the way from there to `target`; positive towards
    /// +x. [rad]
    double angleTo(const Point& target, const Point& origin) const;
    /// Where a beam leaves the array that meets `target` at `angleRad` to the normal; nothing where
    /// none does.
    std::optional<Point> originOf(const Point& target, double angleRad) const;

private:
    Point m_centre;
    double m_radius = 0.0; ///< 0: straight
};

/// The middle of the elements of a weight other than 0, all where `apodization` is empty: between
/// the middle ones of a row, so that it lies on the arc of a curved one; the mean of their places
/// where they are no row.
Point middleOfFiring(std::span<const float> apodization, std::span<const Point> elements);

/// Sets the origin of each focused transmit of which nobody says it (it is {}, in all of them).
/// Beams begin at the middle of the elements that fire. Where apertures walk along a linear or
/// convex array and all beams leave it at one angle, to within a pitch, they begin where the line
/// to the focus leaves it at that very angle: middles are known to half a pitch only. Apertures
/// that the end of the array cuts off have the direction of the others, as their middle says
/// nothing. Returns how many these are.
std::size_t placeBeams(const Probe& probe, double soundSpeedMps, std::vector<Transmit>& transmits);
/// What a recording's notes say of them.
std::string cutOffNote(std::size_t apertures);

} // namespace echolux
