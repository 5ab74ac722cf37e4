// SPDX-License-Identifier: GPL-3.0-or-later
// A part of an image that somebody drew: plain geometry, for whatever looks at a part of it.
#pragma once

#include "render/view/view_transform.hpp"

#include <vector>

namespace echolux {

/// A rectangle or any closed outline. Places are those of the view: millimetres, microseconds or
/// plain indices.
struct Region {
    std::vector<Vec2> outline; ///< corners in order, at least three; the last one joins the first
    bool rectangle = true;     ///< four corners: left top, right top, right bottom, left bottom

    static Region rectangleOf(Vec2 corner, Vec2 opposite);
    Rect bounds() const;
    bool contains(Vec2 place) const; ///< even-odd rule
    double area() const;
    Region movedBy(Vec2 places) const;
};

/// What remains of it within the image `all`: a rectangle cut, an outline with its corners moved to
/// the edge.
Region within(const Region& region, const Rect& all);

} // namespace echolux
