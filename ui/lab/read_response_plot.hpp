// SPDX-License-Identifier: GPL-3.0-or-later
// Magnitude and phase delay of an interpolator at a fraction of a sample, beside the magnitudes of
// all fractions and the echoes' band.
#pragma once

#include "ui/lab/band_area.hpp"
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
    // Magnitudes of all fractions lie between these; the area between them is filled.
    QCPGraph* m_lowest;
    QCPGraph* m_highest;
    BandArea m_band;
    MegahertzAxis m_megahertz{plot()};
};

} // namespace echolux
