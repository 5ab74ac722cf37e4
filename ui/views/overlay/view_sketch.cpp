// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/overlay/view_sketch.hpp"

#include "ui/theme/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>
#include <QVector>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr double kEdgeAlpha = 0.6; ///< opacity of the dark edge that keeps lines visible
constexpr double kFaceWidth = 3.0; ///< width of an element's line, pixels
constexpr double kMarkPx = 4.5;    ///< radius of the ring round a focus

QColor inkOf(ViewSketch::Ink ink) {
    return ink == ViewSketch::Ink::Receive ? surroundTokens().accent : plotColour(1);
}

class Sketcher {
public:
    Sketcher(QPainter& painter, const ViewTransform& view, const Picture& picture)
        : m_painter(painter), m_view(view), m_picture(picture), m_seen(view.visibleInPixels()) {}

    void area(const ViewSketch::Area& area) {
        QPolygonF polygon;
        for (const Vec2& corner : area.corners) polygon << pixelOf(corner);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(withAlpha(inkOf(area.ink), 0.06));
        m_painter.drawPolygon(polygon);
    }

    void line(const ViewSketch::Line& line) {
        const QLineF drawn(pixelOf(line.from), pixelOf(line.to));
        m_painter.setPen(QPen(withAlpha(surroundTokens().surround, kEdgeAlpha * line.strength), 3.0,
                              Qt::SolidLine, Qt::FlatCap));
        m_painter.drawLine(drawn);
        QPen pen(withAlpha(inkOf(line.ink), line.strength), 1.0, Qt::SolidLine, Qt::FlatCap);
        if (line.dashed) pen.setDashPattern({5.0, 4.0});
        m_painter.setPen(pen);
        m_painter.drawLine(drawn);
    }

    void contour(const ViewSketch::Contour& contour) {
        QVector<QLineF> drawn;
        for (const auto& [from, to] : contour.pieces) drawn.push_back({pixelOf(from), pixelOf(to)});
        m_painter.setPen(QPen(surroundTokens().surround, 3.0, Qt::SolidLine, Qt::RoundCap));
        m_painter.drawLines(drawn);
        m_painter.setPen(QPen(inkOf(contour.ink), 1.25, Qt::SolidLine, Qt::RoundCap));
        m_painter.drawLines(drawn);
    }

    /// Leaves out a label that would cover another one.
    void label(const QFont& font, const ViewSketch::Contour& contour) {
        const QFontMetricsF metrics(font);
        QRectF box(0.0, 0.0, std::ceil(metrics.horizontalAdvance(contour.label)) + 0.5 * kGrid,
                   std::ceil(metrics.height()));
        box.moveCenter(pixelOf(contour.labelAt).toPoint());
        const QRectF seen(m_seen.left, m_seen.top, m_seen.width(), m_seen.height());
        const auto covers = [&](const QRectF& other) { return other.intersects(box); };
        if (!seen.contains(box) || std::ranges::any_of(m_labels, covers)) return;
        m_labels.push_back(box);
        m_painter.setFont(font);
        m_painter.fillRect(box, withAlpha(surroundTokens().surround, 0.75));
        m_painter.setPen(inkOf(contour.ink));
        m_painter.drawText(box, Qt::AlignCenter, contour.label);
    }

    void mark(const ViewSketch::Mark& mark) {
        const QPointF at = pixelOf(mark.place);
        m_painter.setBrush(Qt::NoBrush);
        const auto ring = [&](const QColor& colour, double width) {
            m_painter.setPen(QPen(colour, width));
            m_painter.drawEllipse(at, kMarkPx, kMarkPx);
        };
        ring(withAlpha(surroundTokens().surround, kEdgeAlpha), 3.0);
        ring(withAlpha(inkOf(ViewSketch::Ink::Transmit), mark.strength), 1.0);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(withAlpha(inkOf(ViewSketch::Ink::Transmit), mark.strength));
        m_painter.drawEllipse(at, 1.25, 1.25);
    }

    void face(const ViewSketch::Face& face) {
        QPointF from = pixelOf(face.from);
        QPointF to = pixelOf(face.to);
        // Leaves a pixel between neighbours where there is room for it.
        const double length = std::hypot(to.x() - from.x(), to.y() - from.y());
        if (length > 4.0) {
            const QPointF inset = (to - from) * (0.5 / length);
            from += inset;
            to -= inset;
        }
        const double top = m_seen.top + 0.5 * kFaceWidth;
        from.setY(std::max(from.y(), top));
        to.setY(std::max(to.y(), top));
        stroke(from, to, withAlpha(surroundTokens().secondary, 0.45));
        if (face.weight > 0.0) {
            stroke(from, to,
                   withAlpha(inkOf(ViewSketch::Ink::Receive),
                             0.25 + 0.75 * std::min(1.0, face.weight)));
        }
        if (!face.fires) return;
        const QPointF below(0.0, kFaceWidth);
        stroke(from + below, to + below, withAlpha(inkOf(ViewSketch::Ink::Transmit), 0.9),
               kFaceWidth - 1.0);
    }

    void text(const QFont& font, const QString& text) {
        const QFontMetricsF metrics(font);
        const double line = std::ceil(metrics.height());
        const double width = std::ceil(metrics.horizontalAdvance(text)) + kGrid;
        if (width > m_seen.width()) return;
        const QRectF box(std::floor(m_seen.right - width - 0.5 * kGrid),
                         std::floor(m_seen.bottom - line - 0.5 * kGrid), width, line);
        m_labels.push_back(box);
        m_painter.setFont(font);
        m_painter.fillRect(box, withAlpha(surroundTokens().surround, 0.75));
        m_painter.setPen(surroundTokens().text);
        m_painter.drawText(box, Qt::AlignCenter, text);
    }

private:
    QPointF pixelOf(const Vec2& place) const {
        const Vec2 at = m_view.toPixel(
            {place.x * m_picture.across.viewPerAxis, place.y * m_picture.down.viewPerAxis});
        return {at.x, at.y};
    }

    void stroke(const QPointF& from, const QPointF& to, const QColor& colour,
                double width = kFaceWidth) {
        m_painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap));
        m_painter.drawLine(from, to);
    }

    QPainter& m_painter;
    const ViewTransform& m_view;
    const Picture& m_picture;
    Rect m_seen;
    std::vector<QRectF> m_labels;
};

} // namespace

void drawSketch(QPainter& painter, const QFont& font, const ViewTransform& view,
                const Picture& picture, const ViewSketch& sketch) {
    const Rect seen = view.visibleInPixels();
    if (seen.width() < 1.0 || seen.height() < 1.0) return;
    painter.save();
    painter.setClipRect(QRectF(seen.left, seen.top, seen.width(), seen.height()));
    painter.setRenderHint(QPainter::Antialiasing);
    Sketcher sketcher(painter, view, picture);
    for (const ViewSketch::Contour& contour : sketch.contours) sketcher.contour(contour);
    for (const ViewSketch::Area& area : sketch.areas) sketcher.area(area);
    for (const ViewSketch::Line& line : sketch.lines) sketcher.line(line);
    for (const ViewSketch::Mark& mark : sketch.marks) sketcher.mark(mark);
    for (const ViewSketch::Face& face : sketch.faces) sketcher.face(face);
    if (!sketch.text.isEmpty()) sketcher.text(font, sketch.text);
    for (const ViewSketch::Contour& contour : sketch.contours) sketcher.label(font, contour);
    painter.restore();
}

} // namespace echolux
