// SPDX-License-Identifier: GPL-3.0-or-later
// The channels' mean spectrum with the frequency bins of an estimate. The user can drag the band.
#pragma once

#include "ui/aberration/aberration_values.hpp"
#include "ui/plots/hint_plot.hpp"

namespace echolux {

class BinsPlot : public HintPlot {
    Q_OBJECT
public:
    explicit BinsPlot(QWidget* parent = nullptr);
    void setSpectrum(const ChannelSpectrum& spectrum); ///< an empty spectrum acts as clear()
    void clear();
    const QVector<double>& bins() const { return m_bins; }

signals:
    /// Emitted while the user drags the band or one of its edges.
    void bandDragged(double centreMhz, double widthMhz);

protected:
    void restyle() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Part { None, Low, High, Whole };
    struct Band {
        double low = 0.0; ///< MHz
        double high = 0.0;
    };

    void paint(QCPPainter& painter);
    Part partAt(double pixel);
    void drag(double pixel);

    QCPGraph* m_curve;
    QVector<double> m_bins;
    Band m_band; ///< the bins divide it into equal parts
    Part m_held = Part::None;
    double m_grip = 0.0; ///< MHz from the dragged (or the lower) edge to the grabbed point
};

} // namespace echolux
