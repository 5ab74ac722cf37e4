// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse input for regions, and their drawing.
#include "ui/views/overlay/region_tool.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/theme/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr double kReachPx = 6.0;
constexpr double kLeastPx = 4.0; ///< least width and height

double distanceTo(Vec2 a, Vec2 b, Vec2 p) {
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    const double length2 = dx * dx + dy * dy;
    const double t =
        length2 > 0.0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0) : 0.0;
    return std::hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}

QString lengthText(const ScreenAxis& axis, double length) {
    return numberText(length * std::abs(axis.labelPerView),
                      axis.unit.empty() || axis.labelPerView > 1.0 ? 0 : 2);
}

} // namespace

bool RegionTool::onOutline(const ViewTransform& view, Vec2 pixel) const {
    if (!m_region) return false;
    const auto& outline = m_region->outline;
    for (std::size_t i = 0, before = outline.size() - 1; i < outline.size(); before = i++) {
        if (distanceTo(view.toPixel(outline[before]), view.toPixel(outline[i]), pixel) <= kReachPx)
            return true;
    }
    return false;
}

RegionTool::Edges RegionTool::edgesAt(const ViewTransform& view, Vec2 pixel) const {
    if (!m_region || !m_region->rectangle || !onOutline(view, pixel)) return {};
    const Rect box = m_region->bounds();
    const Vec2 first = view.toPixel({box.left, box.top});
    const Vec2 last = view.toPixel({box.right, box.bottom});
    const auto near = [](double a, double b) { return std::abs(a - b) <= kReachPx; };
    Edges edges{near(pixel.x, first.x), near(pixel.y, first.y), near(pixel.x, last.x),
                near(pixel.y, last.y)};
    if (edges.left && edges.right) edges.left = false;
    if (edges.top && edges.bottom) edges.top = false;
    return edges;
}

bool RegionTool::press(const ViewTransform& view, Vec2 pixel) {
    m_before = m_region;
    m_from = view.toPlace(pixel);
    m_held = Part::None;
    m_edges = edgesAt(view, pixel);
    if (m_edges.any()) {
        m_held = Part::Edges;
    } else if (onOutline(view, pixel)) {
        m_held = Part::Outline;
    }
    return holds();
}

void RegionTool::hold(const ViewTransform& view, Vec2 pixel) {
    if (!m_region) return;
    m_before = m_region;
    m_from = view.toPlace(pixel);
    m_held = Part::Outline;
}

bool RegionTool::isInside(const ViewTransform& view, Vec2 pixel) const {
    return m_region && m_region->contains(view.toPlace(pixel));
}

void RegionTool::drag(const ViewTransform& view, Vec2 pixel) {
    if (!holds() || !m_region) return;
    const Vec2 place = view.toPlace(pixel);
    if (m_held == Part::Outline) {
        m_region = m_before->movedBy({place.x - m_from.x, place.y - m_from.y});
        return;
    }
    Rect box = m_before->bounds();
    if (m_edges.left) box.left = place.x;
    if (m_edges.right) box.right = place.x;
    if (m_edges.top) box.top = place.y;
    if (m_edges.bottom) box.bottom = place.y;
    m_region =
        within(Region::rectangleOf({box.left, box.top}, {box.right, box.bottom}), view.image());
}

bool RegionTool::release(const ViewTransform& view) {
    if (!holds()) return false;
    m_held = Part::None;
    m_region = within(*m_region, view.image());
    const Rect box = m_region->bounds();
    const Vec2 scale = view.pixelsPerUnit();
    if (box.width() * scale.x < kLeastPx || box.height() * scale.y < kLeastPx) m_region = m_before;
    return true;
}

std::optional<Qt::CursorShape> RegionTool::shapeAt(const ViewTransform& view, Vec2 pixel) const {
    if (m_held == Part::Outline) return Qt::SizeAllCursor;
    const Edges edges = m_held == Part::Edges ? m_edges : edgesAt(view, pixel);
    if (edges.any()) {
        const bool across = edges.left || edges.right;
        const bool down = edges.top || edges.bottom;
        if (across && down)
            return (edges.left == edges.top) ? Qt::SizeFDiagCursor : Qt::SizeBDiagCursor;
        return across ? Qt::SizeHorCursor : Qt::SizeVerCursor;
    }
    if (onOutline(view, pixel)) return Qt::SizeAllCursor;
    return std::nullopt;
}

QString RegionTool::sizeText(const Picture& picture, const Rect& box) {
    const QString wide = lengthText(picture.across, box.width());
    const QString high = lengthText(picture.down, box.height());
    const QString across = QString::fromStdString(picture.across.unit);
    const QString down = QString::fromStdString(picture.down.unit);
    if (across == down) return QStringLiteral("%1 \u00d7 %2 %3").arg(wide, high, down).trimmed();
    return QStringLiteral("%1 %2 \u00d7 %3 %4").arg(wide, across, high, down).simplified();
}

void RegionTool::draw(QPainter& painter, const QFont& font, const ViewTransform& view,
                      const Picture& picture) const {
    if (!m_region) return;
    QPolygonF outline;
    for (const Vec2& corner : m_region->outline) {
        const Vec2 at = view.toPixel(corner);
        outline << QPointF(at.x, at.y);
    }
    const Rect seen = view.visibleInPixels();
    painter.save();
    painter.setClipRect(QRectF(seen.left, seen.top, seen.width(), seen.height()));
    painter.setRenderHint(QPainter::Antialiasing, !m_region->rectangle);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(withAlpha(surroundTokens().surround, 0.6), 3.0));
    painter.drawPolygon(outline);
    const QColor ink = plotColour(m_ink);
    painter.setPen(QPen(ink, 1.0));
    painter.drawPolygon(outline);

    const Rect box = m_region->bounds();
    QString text = sizeText(picture, box);
    constexpr double kLine = 8.0; // a box as narrow stands for a line, which has no width
    const bool isLine =
        view.toPixel({box.right, box.top}).x - view.toPixel({box.left, box.top}).x < kLine;
    if (!m_name.isEmpty()) text = isLine ? m_name : m_name + ' ' + text;
    const QFontMetricsF metrics(font);
    const double line = std::ceil(metrics.height());
    const Vec2 corner = view.toPixel({box.left, box.top});
    const double above = corner.y - line - 2.0;
    const double width = std::ceil(metrics.horizontalAdvance(text)) + kGrid;
    if (width > seen.width()) {
        painter.restore();
        return;
    }
    const QRectF label(std::round(std::clamp(corner.x, seen.left, seen.right - width)),
                       std::round(above >= seen.top ? above : corner.y + 2.0), width, line);
    painter.setFont(font);
    painter.fillRect(label, withAlpha(surroundTokens().surround, 0.6));
    painter.setPen(ink);
    painter.drawText(label, Qt::AlignCenter, text);
    painter.restore();
}

} // namespace echolux
