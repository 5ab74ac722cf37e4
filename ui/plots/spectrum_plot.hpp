// SPDX-License-Identifier: GPL-3.0-or-later
// Spectrum of the picked column's raw line, in dB relative to its maximum; on demand with that of
// the same line as I and Q, both with negative frequencies.
#pragma once

#include "ui/plots/hint_plot.hpp"

#include <vector>

class QToolButton;

namespace echolux {

struct SpectrumData {
    QString title;
    std::vector<float> levelDb; ///< relative to the maximum
    double startMHz = 0.0;
    double stepMHz = 0.0;
    QString missing{}; ///< why there are no levels; empty: nothing was picked
    /// Centre frequency of the transmitted pulse, marked by a line; 0 = unknown.
    double centreMHz = 0.0;
    bool twoSided = false; ///< the levels begin below the carrier, which is in the middle
    /// The same line as I and Q; empty: there is none. 0 MHz is the carrier.
    std::vector<float> iqDb{};
    double iqStartMHz = 0.0;
    double iqStepMHz = 0.0;
    QString iqName{}; ///< "IQ: I/Q demodulation, 5.00 MHz": stage and carrier
};

class SpectrumPlot : public HintPlot {
    Q_OBJECT
public:
    explicit SpectrumPlot(QWidget* parent = nullptr);
    void setData(const SpectrumData& spectrum);
    void clear() { setHasData(false); }
    QToolButton& iqButton() { return *m_iq; } ///< hidden where there is no IQ line

protected:
    void restyle() override;

private:
    void draw();

    SpectrumData m_data;
    QToolButton* m_iq;
    QCPGraph* m_level;
    QCPGraph* m_iqLevel;
    QCPItemStraightLine* m_centre;
};

} // namespace echolux
