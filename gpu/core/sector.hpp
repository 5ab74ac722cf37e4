// SPDX-License-Identifier: GPL-3.0-or-later
// Images in beam space: where their lines lie, and what of an image they fill once converted.
#pragma once

#include "gpu/core/acquisition.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace echolux {

/// The lines of an image in beam space. Lateral counts them, Depth is the range along them: range r
/// of line i lies at startOf(i) + r (sin a, cos a) in x and z, with a = anglesRad[i]. Lengths in m.
/// Without `starts` all lines leave the arc of radiusM round one apex, and their angles rise. With
/// `starts` each line has a place of its own, as steered lines of a linear array have.
struct Sector {
    double apexXM = 0.0;
    double apexZM = 0.0;
    double radiusM = 0.0;
    std::vector<double> anglesRad;  ///< of the lines; positive = towards +x
    std::vector<Point> starts = {}; ///< range 0 of each line; empty: the arc round the apex

    bool hasOneApex() const { return starts.empty(); }
    std::size_t lines() const { return anglesRad.size(); }
    Point startOf(std::size_t line) const;
    Point at(std::size_t line, double rangeM) const;
};

/// Whether every line lies on the same side of every line before it, at all ranges between the two,
/// so that each place between two neighbours belongs to these alone.
bool linesKeepOrder(const Sector& sector, double nearestM, double farthestM);

/// Lateral of an image in beam space: angles in rad where the lines leave one apex in even steps,
/// else a plain index of lines.
Axis lateralAxisOf(const Sector& sector);

/// Gives Lateral of an image in beam space, of as many lines, the places of lateralAxisOf().
void placeLines(FrameSpec& image);

/// Coordinates along an axis, one by one.
struct AxisPlaces {
    std::vector<double> values;
    std::string unit;
};

/// Of an axis of `frame`. Lateral of an image in beam space: the lines' angles in rad, or, where
/// they have starts of their own, the x of these in m.
AxisPlaces placesOf(const FrameSpec& frame, const Axis& axis);

/// What scan conversion fills of an image. The rest is no echo. Without `outline` a part of a ring:
/// distances from the apex, and angles; else what the corners surround.
struct SectorBounds {
    double apexXM = 0.0;
    double apexZM = 0.0;
    double nearestM = 0.0; ///< distances from the apex
    double farthestM = 0.0;
    double firstRad = 0.0; ///< angles of the outer lines
    double lastRad = 0.0;
    std::vector<Point> outline = {}; ///< corners, in order, of lines without one apex

    bool contains(double xM, double zM) const;
};

/// Of lines between two ranges.
SectorBounds boundsOf(const Sector& sector, double nearestM, double farthestM);

} // namespace echolux
