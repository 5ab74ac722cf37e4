// SPDX-License-Identifier: GPL-3.0-or-later
// Signal-to-noise ratio of interpolators over cycles per sample, with the echoes' bands.
#pragma once

#include "ui/lab/band_area.hpp"
#include "ui/lab/filter_lab.hpp"
#include "ui/lab/megahertz_axis.hpp"
#include "ui/plots/hint_plot.hpp"

#include <QSet>

namespace echolux {

class SnrPlot : public HintPlot {
    Q_OBJECT
public:
    explicit SnrPlot(QWidget* parent = nullptr);
    void setLevels(const LabLevels& levels);
    void hideCurves(const QSet<QString>& ids); ///< hides the curves with these ids
    void setBands(const LabBands& bands, const QString& text);

protected:
    void restyle() override;

private:
    void draw();

    LabLevels m_levels;
    QSet<QString> m_hidden;
    BandArea m_recording;
    BandArea m_beamformed;
    MegahertzAxis m_megahertz{plot()};
};

} // namespace echolux
