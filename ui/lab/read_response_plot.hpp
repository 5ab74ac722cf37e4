// SPDX-License-Identifier: GPL-3.0-or-later
// Magnitude and phase delay of an interpolator at a fraction of a sample.
#pragma once

#include "ui/lab/filter_lab.hpp"
#include "ui/lab/megahertz_axis.hpp"
#include "ui/plots/hint_plot.hpp"

namespace echolux {

class ReadResponsePlot : public HintPlot {
    Q_OBJECT
public:
    explicit ReadResponsePlot(QWidget* parent = nullptr);
    void setResponse(const LabResponse& response); ///< without values: shows a hint

protected:
    void restyle() override;

private:
    QCPGraph* m_magnitude;
    QCPGraph* m_delay;
    QCPGraph* m_ideal; ///< ideal delay
    MegahertzAxis m_megahertz{plot()};
};

} // namespace echolux
