// SPDX-License-Identifier: GPL-3.0-or-later
// The taps of an interpolator at a fraction of a sample, beside those of the ideal one (Gronvold
// 2008, figure 2.7).
#pragma once

#include "ui/lab/filter_lab.hpp"
#include "ui/plots/hint_plot.hpp"

namespace echolux {

class TapsPlot : public HintPlot {
    Q_OBJECT
public:
    explicit TapsPlot(QWidget* parent = nullptr);
    void setResponse(const LabResponse& response); ///< without taps: shows a hint

protected:
    void restyle() override;

private:
    QCPGraph* m_ideal; ///< sinc
    QCPGraph* m_taps;
};

} // namespace echolux
