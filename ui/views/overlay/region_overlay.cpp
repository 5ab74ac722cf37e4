// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/overlay/region_overlay.hpp"

namespace echolux {

void RegionOverlay::show(const std::optional<Region>& region) {
    m_tool.setRegion(region);
    changed();
}

void RegionOverlay::paint(QPainter& painter, const OverlayPlace& place) {
    m_tool.draw(painter, place.font, place.view, place.picture);
}

std::optional<Qt::CursorShape> RegionOverlay::hit(const OverlayPlace& place, Vec2 pixel) {
    return m_tool.shapeAt(place.view, pixel);
}

bool RegionOverlay::press(const OverlayPlace& place, Vec2 pixel) {
    return m_tool.press(place.view, pixel);
}

void RegionOverlay::drag(const OverlayPlace& place, Vec2 pixel) { m_tool.drag(place.view, pixel); }

void RegionOverlay::release(const OverlayPlace& place, Vec2) {
    if (m_tool.release(place.view)) m_released();
}

} // namespace echolux
