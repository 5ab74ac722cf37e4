// SPDX-License-Identifier: GPL-3.0-or-later
// The histogram of a region as steps, and the curve of speckle.
#pragma once

#include "app/measure/distribution.hpp"
#include "ui/plots/hint_plot.hpp"

class QComboBox;

namespace echolux {

class DistributionPlot : public HintPlot {
    Q_OBJECT
public:
    explicit DistributionPlot(QWidget* parent = nullptr);
    void setDistribution(const QString& region, const measure::Distribution& found);
    void clear(const QString& reason = {}); ///< shows the reason; empty: what to do
    measure::Counted counted() const;
    QString readout() const;

signals:
    void countedChosen();

protected:
    void restyle() override;

private:
    QComboBox* m_counted;
    QLabel* m_readout;
    QCPGraph* m_steps;
    QCPGraph* m_speckle;
};

} // namespace echolux
