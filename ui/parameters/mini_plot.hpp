// SPDX-License-Identifier: GPL-3.0-or-later
// A small plot that explains the sliders above it: the current curve over a thin neutral one.
#pragma once

#include <QString>
#include <QVector>

#include <qcustomplot.h>

namespace echolux {

struct CurveData {
    QString underKey; ///< parameter above the plot; empty: the plot is below the last row
    QVector<double> x, y;
    QVector<double> neutralX, neutralY; ///< the curve of "no effect"
    QString xLabel, yLabel;             ///< with units, "MHz", "dB"
    double xMin = 0.0, xMax = 1.0;
    double yMin = 0.0, yMax = 1.0;
};

class MiniPlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit MiniPlot(QWidget* parent = nullptr);
    void setCurve(const CurveData& curve);

private:
    void restyle();
    QCPGraph* m_neutral;
    QCPGraph* m_current;
    QCPItemText* m_xUnit; ///< units are inside the plot to save space
    QCPItemText* m_yUnit;
};

} // namespace echolux
