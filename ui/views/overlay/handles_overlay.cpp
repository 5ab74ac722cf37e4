// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/overlay/handles_overlay.hpp"

#include "ui/theme/theme.hpp"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr double kHalfHandlePx = 4.0;
constexpr double kTakenFromPx = 8.0; ///< the mouse takes a handle from so far away

} // namespace

std::optional<std::size_t> HandlesOverlay::handleAt(const OverlayPlace& place, Vec2 pixel) const {
    const auto awayFrom = [&](const Vec2& handle) {
        const Vec2 at = place.view.toPixel(handle);
        return std::max(std::abs(at.x - pixel.x), std::abs(at.y - pixel.y));
    };
    const auto nearest = std::ranges::min_element(m_places, {}, awayFrom);
    if (nearest == m_places.end() || awayFrom(*nearest) > kTakenFromPx) return std::nullopt;
    return static_cast<std::size_t>(nearest - m_places.begin());
}

void HandlesOverlay::paint(QPainter& painter, const OverlayPlace& place) {
    const ThemeTokens& ink = surroundTokens();
    painter.setPen(ink.text);
    painter.setBrush(ink.surround);
    for (const Vec2& each : m_places) {
        const Vec2 at = place.view.toPixel(each);
        if (!place.view.visibleInPixels().contains(at)) continue;
        painter.drawRect(QRectF(at.x - kHalfHandlePx, at.y - kHalfHandlePx, 2 * kHalfHandlePx,
                                2 * kHalfHandlePx));
    }
    painter.setBrush(Qt::NoBrush);
}

std::optional<Qt::CursorShape> HandlesOverlay::hit(const OverlayPlace& place, Vec2 pixel) {
    return m_held || handleAt(place, pixel) ? std::optional(Qt::SizeAllCursor) : std::nullopt;
}

bool HandlesOverlay::press(const OverlayPlace& place, Vec2 pixel) {
    m_held = handleAt(place, pixel);
    return m_held.has_value();
}

void HandlesOverlay::drag(const OverlayPlace& place, Vec2 pixel) {
    if (!m_held || *m_held >= m_places.size()) return;
    const Vec2 at = place.view.toPlace(pixel);
    const Rect& all = place.view.image();
    m_moved(*m_held,
            {std::clamp(at.x, all.left, all.right), std::clamp(at.y, all.top, all.bottom)});
}

} // namespace echolux
