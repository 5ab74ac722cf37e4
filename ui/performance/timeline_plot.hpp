// SPDX-License-Identifier: GPL-3.0-or-later
// The latest frames' way through the streams, bar by bar on one time axis.
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
    /// In pixels of the widget; as wide as can be pointed at.
    QRectF placeOf(std::size_t row, const TimelineBar& bar) const;
    /// "Beamform, frame 12: begins at 3.210 ms, takes 15.020 ms"
    static QString textOf(const TimelineBar& bar);
    QString legendText() const; ///< rich text: which colour is which stage

private:
    void restyle();
    void followRows();
    void paintBars(QCPPainter& painter) const;

    Timeline m_timeline;
    QSharedPointer<QCPAxisTickerText> m_rowNames;
    PlotTools* m_tools = nullptr;
};

} // namespace echolux
