// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/band_area.hpp"

#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>

namespace echolux {

BandArea::BandArea(QCustomPlot& plot)
    : m_area(new QCPItemRect(&plot)), m_centre(new QCPItemStraightLine(&plot)) {
    m_area->setLayer("grid"); // behind the curves
    m_centre->setLayer("grid");
    for (QCPItemPosition* corner : {m_area->topLeft, m_area->bottomRight})
        corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
    place({});
}

void BandArea::place(const std::optional<LabBand>& band) {
    constexpr double kHighestCycles = 0.5;
    m_area->setVisible(band.has_value());
    m_centre->setVisible(band.has_value());
    if (!band) return;
    m_area->topLeft->setCoords(std::max(0.0, band->centre - 0.5 * band->width), 0.0);
    m_area->bottomRight->setCoords(std::min(kHighestCycles, band->centre + 0.5 * band->width), 1.0);
    m_centre->point1->setCoords(band->centre, 0.0);
    m_centre->point2->setCoords(band->centre, 1.0);
}

void BandArea::paint(const QColor& colour, Qt::PenStyle edge) {
    const bool filled = edge == Qt::NoPen;
    m_area->setPen(filled ? QPen(Qt::NoPen) : QPen(withAlpha(colour, 0.6), 1.0, edge));
    m_area->setBrush(filled ? QBrush(withAlpha(colour, 0.16)) : QBrush(Qt::NoBrush));
    m_centre->setPen(QPen(withAlpha(colour, 0.8), 1.0, Qt::DashLine));
}

} // namespace echolux
