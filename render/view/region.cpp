// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds, area and inside of regions.
#include "render/view/region.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {

Region Region::rectangleOf(Vec2 corner, Vec2 opposite) {
    const auto [left, right] = std::minmax(corner.x, opposite.x);
    const auto [top, bottom] = std::minmax(corner.y, opposite.y);
    return {{{left, top}, {right, top}, {right, bottom}, {left, bottom}}, true};
}

Rect Region::bounds() const {
    if (outline.empty()) return {};
    Rect box{outline[0].x, outline[0].y, outline[0].x, outline[0].y};
    for (const Vec2& corner : outline) {
        box.left = std::min(box.left, corner.x);
        box.right = std::max(box.right, corner.x);
        box.top = std::min(box.top, corner.y);
        box.bottom = std::max(box.bottom, corner.y);
    }
    return box;
}

bool Region::contains(Vec2 place) const {
    bool inside = false;
    for (std::size_t i = 0, before = outline.size() - 1; i < outline.size(); before = i++) {
        const Vec2& a = outline[before];
        const Vec2& b = outline[i];
        if ((a.y > place.y) == (b.y > place.y)) continue;
        if (place.x < a.x + (place.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
    }
    return inside;
}

double Region::area() const {
    double twice = 0.0;
    for (std::size_t i = 0, before = outline.size() - 1; i < outline.size(); before = i++)
        twice += outline[before].x * outline[i].y - outline[i].x * outline[before].y;
    return 0.5 * std::abs(twice);
}

Region Region::movedBy(Vec2 places) const {
    Region moved = *this;
    for (Vec2& corner : moved.outline) corner = {corner.x + places.x, corner.y + places.y};
    return moved;
}

Region within(const Region& region, const Rect& all) {
    Region cut = region;
    for (Vec2& corner : cut.outline) {
        corner.x = std::clamp(corner.x, all.left, all.right);
        corner.y = std::clamp(corner.y, all.top, all.bottom);
    }
    return cut;
}

} // namespace echolux
