// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Contributions": what each element adds to the selected pixel, as bars.
#pragma once

#include "ui/plots/hint_plot.hpp"

#include <vector>

namespace echolux {

/// One entry per element.
struct Contributions {
    std::vector<double> inPhase = {};   ///< the part that adds to the sum; negative: it takes away
    std::vector<double> magnitude = {}; ///< of the whole contribution; empty for RF
    QString text = {};                  ///< pixel and number of elements, for the title line
    double agreement = 0.0;             ///< magnitude of the sum over the sum of the magnitudes
};

class ContributionPlot : public HintPlot {
    Q_OBJECT
public:
    explicit ContributionPlot(QWidget* parent = nullptr);
    /// Draws each entry relative to the largest.
    void setContributions(const Contributions& of);
    void clear(const QString& why = {}); ///< `why` replaces the hint; empty: point at a pixel
    const Contributions& contributions() const { return m_shown; }

signals:
    void sightChanged(bool seen); ///< contributions are needed only while the plot is visible

protected:
    void restyle() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QCPBars* m_bars;
    QCPGraph* m_magnitude;
    Contributions m_shown;
};

} // namespace echolux
