// SPDX-License-Identifier: GPL-3.0-or-later
// Outlines, crosses and names.
#include "ui/views/overlay/named_shapes.hpp"

#include "ui/theme/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace echolux {
namespace {

constexpr double kArm = 5.0; ///< of a cross, in pixels

/// A line in the colour of the image's surround, and a thinner one in `ink` over it.
template <class Draw>
void drawTwice(QPainter& painter, const QColor& ink, double width, Draw draw) {
    painter.setPen(QPen(withAlpha(surroundTokens().surround, 0.6), width + 2.0));
    draw();
    painter.setPen(QPen(ink, width));
    draw();
}

} // namespace

void drawNamedShapes(QPainter& painter, const QFont& font, const ViewTransform& view,
                     const std::vector<NamedShape>& shapes) {
    const Rect seen = view.visibleInPixels();
    const QFontMetricsF metrics(font);
    painter.save();
    painter.setFont(font);
    painter.setClipRect(QRectF(seen.left, seen.top, seen.width(), seen.height()));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const NamedShape& shape : shapes) {
        QPolygonF line;
        for (const Vec2& place : shape.places) {
            const Vec2 at = view.toPixel(place);
            line << QPointF(at.x, at.y);
        }
        if (line.isEmpty()) continue;
        const QColor ink = plotColour(shape.ink);
        drawTwice(painter, ink, shape.strong ? 2.0 : 1.0, [&] {
            if (line.size() == 1) {
                painter.drawLine(line[0] - QPointF(kArm, 0), line[0] + QPointF(kArm, 0));
                painter.drawLine(line[0] - QPointF(0, kArm), line[0] + QPointF(0, kArm));
            } else if (shape.closed) {
                painter.drawPolygon(line);
            } else {
                painter.drawPolyline(line);
            }
        });
        // The name stands above the shape, or below it at the upper edge of the image.
        const QRectF box = line.boundingRect().adjusted(-kArm, -kArm, kArm, kArm);
        const double width = metrics.horizontalAdvance(shape.name);
        const double x = std::min(box.left(), seen.right - width);
        const bool fits = box.top() - metrics.height() >= seen.top;
        const QPointF at(std::max(x, seen.left),
                         fits ? box.top() - metrics.descent() : box.bottom() + metrics.ascent());
        painter.setPen(withAlpha(surroundTokens().surround, 0.6));
        painter.drawText(at + QPointF(1.0, 1.0), shape.name);
        painter.setPen(ink);
        painter.drawText(at, shape.name);
    }
    painter.restore();
}

} // namespace echolux
