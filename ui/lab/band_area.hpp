// SPDX-License-Identifier: GPL-3.0-or-later
// A frequency band behind the curves of a plot over cycles per sample: an area and its centre.
#pragma once

#include "ui/lab/filter_lab.hpp"

#include <QColor>

class QCPItemRect;
class QCPItemStraightLine;
class QCustomPlot;

namespace echolux {

/// The plot owns its items.
class BandArea {
public:
    explicit BandArea(QCustomPlot& plot);
    void place(const std::optional<LabBand>& band); ///< hides it where there is none
    /// Qt::NoPen: the area is filled; else it has an edge.
    void paint(const QColor& colour, Qt::PenStyle edge);

private:
    QCPItemRect* m_area;
    QCPItemStraightLine* m_centre;
};

} // namespace echolux
