// SPDX-License-Identifier: GPL-3.0-or-later
// A region of an image that a user drew. Plain geometry.
#pragma once

#include "render/view/view_transform.hpp"

#include <vector>

namespace echolux {

/// A rectangle or any closed outline, in view units: millimetres, microseconds or plain indices.
struct Region {
    std::vector<Vec2> outline; ///< corners in order, at least three; the last is joined to the
                               ///< first
    bool rectangle = true;     ///< four corners: left top, right top, right bottom, left bottom

    static Region rectangleOf(Vec2 corner, Vec2 opposite);
    Rect bounds() const;
    bool contains(Vec2 place) const; ///< even-odd rule
    double area() const;
    Region movedBy(Vec2 places) const;
};

/// The part of the region within the image `all`. A rectangle is cut; corners of an outline are
/// moved to the edge.
Region within(const Region& region, const Rect& all);

} // namespace echolux
