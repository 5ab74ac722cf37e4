// SPDX-License-Identifier: GPL-3.0-or-later
// Images in beam space: where their lines lie, and which part of the converted image they fill.
#pragma once

#include "gpu/core/acquisition.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace echolux {

/// The lines of an image in beam space. Lateral counts them, Depth is the range along them: range r
/// of line i lies at startOf(i) + r (sin a, cos a) in x and z, with a = anglesRad[i]. Lengths in m.
/// Without `starts` all lines start on the arc of radiusM around one apex, and their angles rise.
/// With `starts` each line has its own start, for example the steered lines of a linear array.
struct Sector {
    double apexXM = 0.0;
    double apexZM = 0.0;
    double radiusM = 0.0;
    std::vector<double> anglesRad;  ///< angle of each line; positive = towards +x
    std::vector<Point> starts = {}; ///< range 0 of each line; empty: the arc round the apex

    bool hasOneApex() const { return starts.empty(); }
    std::size_t lines() const { return anglesRad.size(); }
    Point startOf(std::size_t line) const;
    Point at(std::size_t line, double rangeM) const;
};

/// True where every line lies on the same side of all lines before it, at all ranges between
/// `nearestM` and `farthestM`. Then each place between two neighbours belongs to these two only.
bool linesKeepOrder(const Sector& sector, double nearestM, double farthestM);

/// The Lateral axis of an image in beam space: angles in rad where the lines have one apex and even
/// steps, else a plain index of lines.
Axis lateralAxisOf(const Sector& sector);

/// Sets the coordinates of the Lateral axis of `image`, an image in beam space, to those of
/// lateralAxisOf(). Its number of lines must be the sector's.
void placeLines(FrameSpec& image);

/// Coordinates along an axis, one by one.
struct AxisPlaces {
    std::vector<double> values;
    std::string unit;
};

/// Coordinates of an axis of `frame`. For Lateral of an image in beam space: the lines' angles in
/// rad, or the x of their starts in m where they have starts of their own.
AxisPlaces placesOf(const FrameSpec& frame, const Axis& axis);

/// The part of an image that scan conversion fills; the rest shows no echo. Without `outline` it is
/// a part of a ring, given by distances from the apex and angles. Else it is the polygon of the
/// corners.
struct SectorBounds {
    double apexXM = 0.0;
    double apexZM = 0.0;
    double nearestM = 0.0; ///< distances from the apex
    double farthestM = 0.0;
    double firstRad = 0.0; ///< angles of the outer lines
    double lastRad = 0.0;
    std::vector<Point> outline = {}; ///< corners in order, for lines without a common apex

    bool contains(double xM, double zM) const;
};

/// The bounds of the sector's lines between two ranges.
SectorBounds boundsOf(const Sector& sector, double nearestM, double farthestM);

} // namespace echolux
