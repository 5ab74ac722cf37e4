// SPDX-License-Identifier: GPL-3.0-or-later
// Dragging and painting of crosshair and depth window.
#include "ui/views/image_tools.hpp"

#include "ui/theme/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace echolux {
namespace {

QColor inkOf(OverlayInk ink, const QColor& tool) {
    switch (ink) {
    case OverlayInk::Handle: return tool;
    case OverlayInk::Grabbed: return surroundTokens().text;
    case OverlayInk::Shade: return Qt::transparent; // the image keeps its colours there
    case OverlayInk::Line: break;
    }
    return withAlpha(tool, 0.75);
}

void paintShapes(QPainter& painter, const std::vector<OverlayShape>& shapes, const QColor& tool) {
    for (const OverlayShape& shape : shapes) {
        const Rect& r = shape.pixels;
        painter.fillRect(QRectF(r.left, r.top, r.width(), r.height()), inkOf(shape.ink, tool));
    }
}

QColor crosshairInk() { return surroundTokens().accent; }
QColor windowInk() { return plotColour(1); }

} // namespace

CrosshairPart ImageTools::crosshairPartUnder(const ViewTransform& view, const Picture& picture,
                                             Vec2 pixel) const {
    return m_crosshair ? crosshairPartAt(view, placeIn(picture, *m_crosshair), pixel)
                       : CrosshairPart::None;
}

WindowPart ImageTools::windowPartUnder(const ViewTransform& view, const Picture& picture,
                                       Vec2 pixel) const {
    return m_window ? depthWindowPartAt(view, picture, *m_window, pixel) : WindowPart::None;
}

bool ImageTools::grab(const ViewTransform& view, const Picture& picture, Vec2 pixel) {
    release();
    m_windowPart = windowPartUnder(view, picture, pixel);
    if (m_windowPart != WindowPart::None) {
        m_windowThen = *m_window;
        m_grabbedAt = pixel;
        return true;
    }
    m_crosshairPart = crosshairPartUnder(view, picture, pixel);
    return holds();
}

bool ImageTools::holds() const {
    return m_windowPart != WindowPart::None || m_crosshairPart != CrosshairPart::None;
}

void ImageTools::release() {
    m_windowPart = WindowPart::None;
    m_crosshairPart = CrosshairPart::None;
}

ImageTools::Moved ImageTools::moveTo(const Picture& picture, Vec2 place) {
    const Crosshair moved = movedTo(picture, *m_crosshair, place);
    if (moved == *m_crosshair) return Moved::Nothing;
    m_crosshair = moved;
    return Moved::Crosshair;
}

ImageTools::Moved ImageTools::drag(const ViewTransform& view, const Picture& picture, Vec2 pixel) {
    if (m_windowPart != WindowPart::None && m_window) {
        const DepthWindow moved =
            depthWindowDragged(view, picture, m_windowThen, m_windowPart, m_grabbedAt, pixel);
        if (moved == *m_window) return Moved::Nothing;
        m_window = moved;
        return Moved::Window;
    }
    if (m_crosshairPart == CrosshairPart::None || !m_crosshair) return Moved::Nothing;
    return moveTo(picture,
                  crosshairDragged(view, placeIn(picture, *m_crosshair), m_crosshairPart, pixel));
}

ImageTools::Moved ImageTools::click(const ViewTransform& view, const Picture& picture, Vec2 pixel) {
    return m_crosshair ? moveTo(picture, view.toPlace(pixel)) : Moved::Nothing;
}

std::optional<Qt::CursorShape> ImageTools::shapeAt(const ViewTransform& view,
                                                   const Picture& picture, Vec2 pixel) const {
    const WindowPart window = m_crosshairPart != CrosshairPart::None ? WindowPart::None
                              : m_windowPart != WindowPart::None
                                  ? m_windowPart
                                  : windowPartUnder(view, picture, pixel);
    if (window == WindowPart::Whole) return Qt::SizeAllCursor;
    if (window != WindowPart::None) return Qt::SizeVerCursor;
    const CrosshairPart lines = m_crosshairPart != CrosshairPart::None
                                    ? m_crosshairPart
                                    : crosshairPartUnder(view, picture, pixel);
    if (lines == CrosshairPart::Both) return Qt::SizeAllCursor;
    if (lines == CrosshairPart::Upright) return Qt::SizeHorCursor;
    if (lines == CrosshairPart::Level) return Qt::SizeVerCursor;
    return std::nullopt;
}

void ImageTools::draw(QPainter& painter, const QFont& font, const ViewTransform& view,
                      const Picture& picture, double deviceRatio) const {
    if (m_window) {
        paintShapes(painter, depthWindowShapes(view, picture, *m_window, deviceRatio, m_windowPart),
                    windowInk());
        drawLimits(painter, font, view, picture);
    }
    if (m_crosshair) {
        paintShapes(
            painter,
            crosshairShapes(view, placeIn(picture, *m_crosshair), deviceRatio, m_crosshairPart),
            crosshairInk());
    }
}

/// Writes the depths of both limits, outside the window where there is room.
void ImageTools::drawLimits(QPainter& painter, const QFont& font, const ViewTransform& view,
                            const Picture& picture) const {
    const QFontMetricsF metrics(font);
    const double line = metrics.height();
    const Rect visible = view.visibleInPixels();
    painter.setFont(font);
    const auto draw = [&](double depth, bool above) {
        const double place = depth * picture.down.viewPerAxis;
        const double y = view.toPixel({0.0, place}).y;
        if (y < visible.top || y > visible.bottom) return;
        const QString text = QString::fromStdString(picture.down.format(place)) +
                             (picture.down.unit.empty() ? QString() : QStringLiteral(" ")) +
                             QString::fromStdString(picture.down.unit);
        constexpr double kGap = 3.0;
        constexpr double kHandle = 2.25 * kGrid;
        const double outside = above ? y - line - kGap : y + kGap;
        const double inside = above ? y + kGap : y - line - kGap;
        const bool fits = outside >= visible.top && outside + line <= visible.bottom;
        const double width = metrics.horizontalAdvance(text);
        const QRectF box(std::floor(visible.right - kHandle - width - kGap),
                         std::floor(fits ? outside : inside), std::ceil(width) + 2.0 * kGap,
                         std::ceil(line));
        painter.fillRect(box, withAlpha(surroundTokens().surround, 0.6));
        painter.setPen(windowInk());
        painter.drawText(box, Qt::AlignCenter, text);
    };
    draw(m_window->nearest, true);
    draw(m_window->deepest, false);
}

} // namespace echolux
