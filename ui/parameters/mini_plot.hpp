// SPDX-License-Identifier: GPL-3.0-or-later
// A small plot that explains the sliders above it: the current curve over a thin neutral one.
#pragma once

#include "gpu/stage/shown_stage.hpp"

#include <qcustomplot.h>

namespace echolux {

class MiniPlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit MiniPlot(QWidget* parent = nullptr);
    void setCurve(const StageCurve& curve);

private:
    void restyle();
    QCPGraph* m_neutral;
    QCPGraph* m_current;
    QCPItemText* m_xUnit; ///< units are inside the plot to save space
    QCPItemText* m_yUnit;
};

} // namespace echolux
