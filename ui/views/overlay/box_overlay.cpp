// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/overlay/box_overlay.hpp"

#include <algorithm>

namespace echolux {
namespace {

/// Shifts the box into `all` without changing its size, as far as it fits.
Rect shiftedInto(const Rect& box, const Rect& all) {
    const auto shift = [](double from, double to, double first, double last) {
        if (to - from >= last - first) return first - from;
        return std::max(first - from, 0.0) + std::min(last - to, 0.0);
    };
    const double x = shift(box.left, box.right, all.left, all.right);
    const double y = shift(box.top, box.bottom, all.top, all.bottom);
    return {box.left + x, box.top + y, box.right + x, box.bottom + y};
}

} // namespace

void BoxOverlay::show(const std::optional<Rect>& box, const QString& name) {
    if ((box == m_box && name == m_tool.name()) || m_tool.holds()) return;
    m_tool.setName(name);
    m_box = box;
    changed();
}

void BoxOverlay::dragTo(const Rect& box) {
    m_box = box;
    m_dragged(box);
}

void BoxOverlay::follow(const Picture& picture) {
    if (m_tool.holds()) return;
    if (!m_box) return m_tool.setRegion(std::nullopt);
    const double across = picture.across.viewPerAxis;
    const double down = picture.down.viewPerAxis;
    m_tool.setRegion(Region::rectangleOf({m_box->left * across, m_box->top * down},
                                         {m_box->right * across, m_box->bottom * down}));
}

void BoxOverlay::paint(QPainter& painter, const OverlayPlace& place) {
    follow(place.picture);
    m_tool.draw(painter, place.font, place.view, place.picture);
}

std::optional<Qt::CursorShape> BoxOverlay::hit(const OverlayPlace& place, Vec2 pixel) {
    follow(place.picture);
    const auto shape = m_tool.shapeAt(place.view, pixel);
    if (shape) return shape;
    return m_tool.isInside(place.view, pixel) ? std::optional(Qt::SizeAllCursor) : std::nullopt;
}

bool BoxOverlay::press(const OverlayPlace& place, Vec2 pixel) {
    follow(place.picture);
    return m_tool.press(place.view, pixel);
}

bool BoxOverlay::grab(const OverlayPlace& place, Vec2 pixel) {
    follow(place.picture);
    if (!m_tool.isInside(place.view, pixel)) return false;
    m_tool.hold(place.view, pixel);
    return true;
}

void BoxOverlay::drag(const OverlayPlace& place, Vec2 pixel) {
    m_tool.drag(place.view, pixel);
    constexpr double kLeastPx = 4.0;
    const Rect& all = place.view.image();
    const Rect held = m_tool.region()->bounds();
    const Rect box =
        m_tool.holdsAll() ? shiftedInto(held, all) : within(*m_tool.region(), all).bounds();
    const Vec2 scale = place.view.pixelsPerUnit();
    if (box.width() * scale.x < kLeastPx || box.height() * scale.y < kLeastPx) return;
    const double across = place.picture.across.viewPerAxis;
    const double down = place.picture.down.viewPerAxis;
    dragTo({box.left / across, box.top / down, box.right / across, box.bottom / down});
}

void BoxOverlay::release(const OverlayPlace& place, Vec2) {
    m_tool.release(place.view);
    changed();
}

} // namespace echolux
