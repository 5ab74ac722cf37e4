// SPDX-License-Identifier: GPL-3.0-or-later
// Change between successive filters of an iteration, by two measures.
#pragma once

#include "ui/aberration/aberration_values.hpp"
#include "ui/plots/hint_plot.hpp"

#include <vector>

namespace echolux {

class ConvergencePlot : public HintPlot {
    Q_OBJECT
public:
    explicit ConvergencePlot(QWidget* parent = nullptr);
    void setSteps(const std::vector<IterationStep>& steps); ///< an empty list acts as clear()
    void setStep(int number);                               ///< marks the step
    void clear();

protected:
    void restyle() override;

private:
    QCPGraph* m_change;
    QCPGraph* m_magnitudes;
    QCPItemStraightLine* m_at;
    QCPLegend* m_legend;
};

} // namespace echolux
