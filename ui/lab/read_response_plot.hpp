// SPDX-License-Identifier: GPL-3.0-or-later
// Magnitude and phase delay of an interpolator at a fraction of a sample, over those at other
// fractions and the echoes' band.
#pragma once

#include "ui/lab/band_area.hpp"
#include "ui/lab/filter_lab.hpp"
#include "ui/lab/megahertz_axis.hpp"
#include "ui/plots/hint_plot.hpp"

#include <vector>

namespace echolux {

class ReadResponsePlot : public HintPlot {
    Q_OBJECT
public:
    explicit ReadResponsePlot(QWidget* parent = nullptr);
    void setResponse(const LabResponse& response); ///< without values: shows a hint

protected:
    void restyle() override;

private:
    void showFamily(const std::vector<LabFraction>& family);

    QCPGraph* m_magnitude;
    QCPGraph* m_delay;
    QCPGraph* m_ideal; ///< ideal delay
    /// Thin curves of the other fractions.
    std::vector<QCPGraph*> m_magnitudes;
    std::vector<QCPGraph*> m_delays;
    BandArea m_band;
    MegahertzAxis m_megahertz{plot()};
};

} // namespace echolux
