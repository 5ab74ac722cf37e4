// SPDX-License-Identifier: GPL-3.0-or-later
// The channels' mean spectrum, with the frequencies that an estimate is made from.
#pragma once

#include "ui/aberration/aberration_values.hpp"
#include "ui/plots/hint_plot.hpp"

namespace echolux {

class BinsPlot : public HintPlot {
    Q_OBJECT
public:
    explicit BinsPlot(QWidget* parent = nullptr);
    void setSpectrum(const ChannelSpectrum& spectrum); ///< empty: as clear()
    void clear();
    const QVector<double>& bins() const { return m_bins; }

protected:
    void restyle() override;

private:
    void paint(QCPPainter& painter);

    QCPGraph* m_curve;
    QVector<double> m_bins;
};

} // namespace echolux
