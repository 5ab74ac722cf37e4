// SPDX-License-Identifier: GPL-3.0-or-later
// One figure over the last minute, without and with correction.
#pragma once

#include "ui/plots/hint_plot.hpp"
#include "ui/plots/sticky_range.hpp"

namespace echolux {

class RunningPlot : public HintPlot {
    Q_OBJECT
public:
    static constexpr double kSeconds = 60.0;

    RunningPlot(const QString& title, const QString& help, QWidget* parent = nullptr);
    /// `timeS` must not decrease; an earlier time clears the plot first.
    void add(double timeS, double without, double with);
    void clear();
    int count() const { return m_with->dataCount(); }

protected:
    void restyle() override;

private:
    QCPGraph* m_without;
    QCPGraph* m_with;
    QCPLegend* m_legend;
    StickyRange m_range;
    double m_lastS = 0.0;
};

} // namespace echolux
