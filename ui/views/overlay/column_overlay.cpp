// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/overlay/column_overlay.hpp"

#include "ui/theme/theme.hpp"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace echolux {

void ColumnOverlay::show(std::optional<double> lateral) {
    if (lateral == m_lateral) return;
    m_lateral = lateral;
    changed();
}

/// A line of whole device pixels, with a pointer above the image. The pointer's edges run at 45
/// degrees between device pixels, so they are even without anti-aliasing.
void ColumnOverlay::paint(QPainter& painter, const OverlayPlace& place) {
    if (!m_lateral || (!place.onScreen && !m_inPictures)) return;
    const double ratio = place.deviceRatio;
    const auto onDevicePixel = [&](double at) { return std::round(at * ratio) / ratio; };
    const double hair = std::max(1.0, std::floor(ratio)) / ratio;
    const Rect box = place.view.visibleInPixels();
    const double x = place.view.toPixel({*m_lateral * place.picture.across.viewPerAxis, 0.0}).x;
    if (x < box.left || x > box.right) return;
    const QColor& ink = surroundTokens().accent;
    const double left = onDevicePixel(x);
    const double top = onDevicePixel(box.top);
    painter.fillRect(QRectF(left, top, hair, onDevicePixel(box.bottom) - top), ink);
    constexpr double kPointer = 6.0; // height, and half the base
    const double tip = left + hair / 2;
    const double base = onDevicePixel(box.top - hair - kPointer);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawPolygon(
        QPolygonF({{tip - kPointer, base}, {tip + kPointer, base}, {tip, base + kPointer}}));
}

} // namespace echolux
