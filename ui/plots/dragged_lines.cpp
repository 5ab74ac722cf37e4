// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/dragged_lines.hpp"

#include "ui/theme/theme.hpp"

#include <QMouseEvent>

#include <qcustomplot.h>

#include <cmath>

namespace echolux {
namespace {

constexpr double kReach = 6.0; ///< distance at which the mouse reaches a line, in pixels
constexpr double kGripSize = 9.0;

} // namespace

DraggedLines::DraggedLines(QCustomPlot& plot) : QObject(&plot), m_plot(plot) {
    for (std::size_t end = 0; end < m_lines.size(); ++end) {
        m_lines[end] = new QCPItemStraightLine(&plot);
        m_grips[end] = new QCPItemTracer(&plot);
        m_grips[end]->setStyle(QCPItemTracer::tsSquare);
        m_grips[end]->setSize(kGripSize);
        m_grips[end]->position->setTypeX(QCPItemPosition::ptPlotCoords);
        m_grips[end]->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        m_lines[end]->setSelectable(false);
        m_grips[end]->setSelectable(false);
    }
    plot.installEventFilter(this);
}

void DraggedLines::restyle() {
    for (std::size_t end = 0; end < m_lines.size(); ++end) {
        m_lines[end]->setPen(QPen(plotColour(1), 1.5));
        m_grips[end]->setPen(QPen(plotColour(1), 1.5));
        m_grips[end]->setBrush(tokens().panel);
    }
}

void DraggedLines::setActive(bool on) {
    m_active = on;
    if (!on) m_held.reset();
}

void DraggedLines::place(const std::array<double, 2>& at) {
    constexpr double kMiddle = 0.5;
    m_at = at;
    for (std::size_t end = 0; end < m_lines.size(); ++end) {
        m_lines[end]->point1->setCoords(at[end], 1.0);
        m_lines[end]->point2->setCoords(at[end], 2.0);
        m_grips[end]->position->setCoords(at[end], kMiddle);
    }
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

std::optional<std::size_t> DraggedLines::lineAt(QPointF pixel) const {
    if (!m_active || !m_plot.axisRect()->rect().contains(pixel.toPoint())) return std::nullopt;
    std::array<double, 2> away{};
    for (std::size_t end = 0; end < away.size(); ++end)
        away[end] = std::abs(m_plot.xAxis->coordToPixel(m_at[end]) - pixel.x());
    const std::size_t nearest = away[1] <= away[0] ? 1 : 0;
    return away[nearest] <= kReach ? std::optional(nearest) : std::nullopt;
}

bool DraggedLines::eventFilter(QObject* watched, QEvent* event) {
    const auto mouse = [event] { return static_cast<const QMouseEvent*>(event); };
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
        if (mouse()->button() == Qt::LeftButton) m_held = lineAt(mouse()->position());
        return isHeld();
    case QEvent::MouseMove:
        if (!isHeld()) {
            m_plot.setCursor(lineAt(mouse()->position()) ? Qt::SizeHorCursor : Qt::ArrowCursor);
            return false;
        }
        emit dragged(*m_held, m_plot.xAxis->pixelToCoord(mouse()->position().x()));
        return true;
    case QEvent::MouseButtonRelease: {
        const bool held = isHeld();
        m_held.reset();
        return held;
    }
    default: return QObject::eventFilter(watched, event);
    }
}

} // namespace echolux
