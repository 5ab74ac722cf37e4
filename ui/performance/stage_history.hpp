// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages took during the last minute, on top of each other.
#pragma once

#include "ui/performance/readouts.hpp"
#include "ui/plots/sticky_range.hpp"

#include <QStringList>

#include <deque>
#include <vector>

#include <qcustomplot.h>

namespace echolux {

class PlotTools;

/// Areas in the colours of the bars, of the frame timed last at each readout, and a line of the
/// whole frame, which lies below their top where stages run side by side.
class StageHistoryPlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit StageHistoryPlot(QWidget* parent = nullptr);
    void add(const Readouts& readouts);
    void clear();
    int points() const { return static_cast<int>(m_samples.size()); }
    /// "Beamform 3.210 ms, 12 s ago": of the area at a point of the widget; empty where none is.
    QString nameAt(QPointF point) const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Sample {
        double timeS = 0.0;
        std::vector<double> ms; ///< per area, from the bottom
        double frameMs = 0.0;
    };
    void restyle();
    void follow(const std::vector<StageTime>& stages);
    void forgetTheOld();
    void rebuild();
    void paintAreas(QCPPainter& painter) const;

    std::deque<Sample> m_samples; ///< oldest first
    QStringList m_names;          ///< of the areas: of the stages that run, then of those that did
    QCPGraph* m_total;
    StickyRange m_milliseconds;
    PlotTools* m_tools = nullptr;
};

} // namespace echolux
