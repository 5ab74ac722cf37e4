// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/overlay/depth_window_overlay.hpp"

#include "ui/theme/theme.hpp"
#include "ui/views/overlay/painted_shapes.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace echolux {

void DepthWindowOverlay::show(const std::optional<DepthWindow>& window) {
    if (window == m_window) return;
    m_window = window;
    changed();
}

WindowPart DepthWindowOverlay::partAt(const OverlayPlace& place, Vec2 pixel) const {
    if (m_held != WindowPart::None || !m_window) return m_held;
    return depthWindowPartAt(place.view, place.picture, *m_window, pixel);
}

void DepthWindowOverlay::paint(QPainter& painter, const OverlayPlace& place) {
    if (!m_window) return;
    paintShapes(painter,
                depthWindowShapes(place.view, place.picture, *m_window, place.deviceRatio, m_held),
                plotColour(1));
    painter.setFont(place.font);
    drawLimit(painter, place, m_window->nearest, true);
    drawLimit(painter, place, m_window->deepest, false);
}

/// Writes the depth outside the window where there is room.
void DepthWindowOverlay::drawLimit(QPainter& painter, const OverlayPlace& place, double depth,
                                   bool above) const {
    constexpr double kGap = 3.0;
    constexpr double kHandle = 2.25 * kGrid;
    const QFontMetricsF metrics(place.font);
    const double line = metrics.height();
    const Rect visible = place.view.visibleInPixels();
    const ScreenAxis& down = place.picture.down;
    const double at = depth * down.viewPerAxis;
    const double y = place.view.toPixel({0.0, at}).y;
    if (y < visible.top || y > visible.bottom) return;
    const QString text =
        QString::fromStdString(down.format(at) + (down.unit.empty() ? "" : " ") + down.unit);
    const double outside = above ? y - line - kGap : y + kGap;
    const double inside = above ? y + kGap : y - line - kGap;
    const bool fits = outside >= visible.top && outside + line <= visible.bottom;
    const double width = metrics.horizontalAdvance(text);
    const QRectF box(std::floor(visible.left + kHandle - kGap), std::floor(fits ? outside : inside),
                     std::ceil(width) + 2.0 * kGap, std::ceil(line));
    painter.fillRect(box, withAlpha(surroundTokens().surround, 0.6));
    painter.setPen(plotColour(1));
    painter.drawText(box, Qt::AlignCenter, text);
}

std::optional<Qt::CursorShape> DepthWindowOverlay::hit(const OverlayPlace& place, Vec2 pixel) {
    const WindowPart part = partAt(place, pixel);
    if (part == WindowPart::None) return std::nullopt;
    return part == WindowPart::Whole ? Qt::SizeAllCursor : Qt::SizeVerCursor;
}

bool DepthWindowOverlay::press(const OverlayPlace& place, Vec2 pixel) {
    m_held = partAt(place, pixel);
    if (m_held == WindowPart::None) return false;
    m_before = *m_window;
    m_pressed = pixel;
    return true;
}

void DepthWindowOverlay::drag(const OverlayPlace& place, Vec2 pixel) {
    if (!m_window) return;
    const DepthWindow moved =
        depthWindowDragged(place.view, place.picture, m_before, m_held, m_pressed, pixel);
    if (moved == *m_window) return;
    show(moved);
    m_moved(moved);
}

void DepthWindowOverlay::release(const OverlayPlace&, Vec2) {
    m_held = WindowPart::None;
    changed();
}

} // namespace echolux
