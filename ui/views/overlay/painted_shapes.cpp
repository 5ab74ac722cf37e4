// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/overlay/painted_shapes.hpp"

#include "ui/theme/theme.hpp"

#include <QPainter>

namespace echolux {
namespace {

QColor inkOf(OverlayInk ink, const QColor& tool) {
    switch (ink) {
    case OverlayInk::Handle: return tool;
    case OverlayInk::Grabbed: return surroundTokens().text;
    case OverlayInk::Shade: return Qt::transparent;
    case OverlayInk::Line: break;
    }
    return withAlpha(tool, 0.75);
}

} // namespace

void paintShapes(QPainter& painter, const std::vector<OverlayShape>& shapes, const QColor& tool) {
    for (const OverlayShape& shape : shapes) {
        const Rect& r = shape.pixels;
        painter.fillRect(QRectF(r.left, r.top, r.width(), r.height()), inkOf(shape.ink, tool));
    }
}

} // namespace echolux
