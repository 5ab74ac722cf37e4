// SPDX-License-Identifier: GPL-3.0-or-later
// Resistivity and pulsatility of heartbeats over time.
#pragma once

#include "ui/plots/hint_plot.hpp"

#include <QVector>

namespace echolux {

/// One value per beat.
struct IndicesOverTime {
    QVector<double> times; ///< of the ends of the beats
    QVector<double> resistivity;
    QVector<double> pulsatility;
    double from = 0.0; ///< ends of the time axis
    double to = 1.0;
    QString timeLabel; ///< "time (s)"
};

class WaveformPlot : public HintPlot {
    Q_OBJECT
public:
    explicit WaveformPlot(QWidget* parent = nullptr);
    void setIndices(const IndicesOverTime& indices);
    /// Shows a sentence in place of the plot; empty: what opens it.
    void clear(const QString& reason = {});

protected:
    void restyle() override;

private:
    QCPGraph* m_resistivity;
    QCPGraph* m_pulsatility;
};

} // namespace echolux
