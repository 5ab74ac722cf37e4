// SPDX-License-Identifier: GPL-3.0-or-later
// Change between successive filters of an iteration, by two measures, beside what Herikstad
// published.
#pragma once

#include "ui/aberration/aberration_values.hpp"
#include "ui/plots/hint_plot.hpp"

#include <vector>

namespace echolux {

class ConvergencePlot : public HintPlot {
    Q_OBJECT
public:
    explicit ConvergencePlot(QWidget* parent = nullptr);
    /// An empty list acts as clear(). `published`: also draws where Herikstad's program ended
    /// (2009, 5.2.1).
    void setSteps(const std::vector<IterationStep>& steps, bool published = false);
    bool showsPublished() const; ///< Herikstad's points are drawn
    void setStep(int number);    ///< marks the step
    void clear();

protected:
    void restyle() override;

private:
    void showPublished(bool shown);

    QCPGraph* m_change;
    QCPGraph* m_magnitudes;
    QCPGraph* m_published;
    QCPItemStraightLine* m_at;
    QCPLegend* m_legend;
};

} // namespace echolux
