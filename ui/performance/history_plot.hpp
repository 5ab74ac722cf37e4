// SPDX-License-Identifier: GPL-3.0-or-later
// Frame rates and latency over the last minute.
#pragma once

#include "ui/performance/readouts.hpp"
#include "ui/plots/sticky_range.hpp"

#include <qcustomplot.h>

namespace echolux {

class PlotTools;

/// Length of the histories in seconds.
inline constexpr double kHistoryS = 60.0;

class HistoryPlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit HistoryPlot(QWidget* parent = nullptr);
    void add(const Readouts& readouts);
    void clear();
    int points() const { return m_shown->dataCount(); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void restyle();

    QCPGraph* m_processed;
    QCPGraph* m_shown;
    QCPGraph* m_latency;
    StickyRange m_rate;
    StickyRange m_milliseconds;
    double m_lastS = 0.0;
    PlotTools* m_tools = nullptr;
};

} // namespace echolux
