// SPDX-License-Identifier: GPL-3.0-or-later
// The latest frames on the streams, one bar per step, on one time axis.
#pragma once

#include "ui/performance/timeline.hpp"

#include <qcustomplot.h>

namespace echolux {

class PlotTools;

class TimelinePlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit TimelinePlot(QWidget* parent = nullptr);
    void setTimeline(const Timeline& timeline);
    const Timeline& timeline() const { return m_timeline; }
    /// The bar at a point of the widget; null where there is none.
    const TimelineBar* barAt(QPointF point) const;
    /// Place of a bar in pixels of the widget, wide enough to point at.
    QRectF placeOf(std::size_t row, const TimelineBar& bar) const;
    /// "Beamform, frame 12: begins at 3.210 ms, takes 15.020 ms"
    static QString textOf(const TimelineBar& bar);
    QString legendText() const; ///< rich text: the stage of each colour

private:
    void restyle();
    void followRows();
    void paintBars(QCPPainter& painter) const;

    Timeline m_timeline;
    QSharedPointer<QCPAxisTickerText> m_rowNames;
    PlotTools* m_tools = nullptr;
};

} // namespace echolux
