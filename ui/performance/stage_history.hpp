// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the stages over the last minute, stacked.
#pragma once

#include "ui/performance/readouts.hpp"
#include "ui/plots/sticky_range.hpp"

#include <QStringList>

#include <deque>
#include <vector>

#include <qcustomplot.h>

namespace echolux {

class PlotTools;

/// Each area is one stage, in the colour of its bar; the values are those of the frame timed last
/// at each readout. A line shows the time of the whole frame. It lies below the top area where
/// stages run at the same time.
class StageHistoryPlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit StageHistoryPlot(QWidget* parent = nullptr);
    void add(const Readouts& readouts);
    void clear();
    int points() const { return static_cast<int>(m_samples.size()); }
    /// "Beamform 3.210 ms, 12 s ago" for the area at a point of the widget; empty where there is
    /// none.
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
    QStringList m_names;          ///< names of the areas: stages that run now, then former ones
    QCPGraph* m_total;
    StickyRange m_milliseconds;
    PlotTools* m_tools = nullptr;
};

} // namespace echolux
