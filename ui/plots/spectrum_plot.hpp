// SPDX-License-Identifier: GPL-3.0-or-later
// Spectrum of the picked column's raw line, in dB relative to its maximum.
#pragma once

#include "ui/plots/hint_plot.hpp"

#include <vector>

namespace echolux {

struct SpectrumData {
    QString title;
    std::vector<float> levelDb; ///< relative to the maximum
    double startMHz = 0.0;
    double stepMHz = 0.0;
    QString missing{}; ///< why there are no levels; empty: nothing was picked
    /// Centre frequency of the transmitted pulse, marked by a line; 0 = unknown.
    double centreMHz = 0.0;
};

class SpectrumPlot : public HintPlot {
    Q_OBJECT
public:
    explicit SpectrumPlot(QWidget* parent = nullptr);
    void setData(const SpectrumData& spectrum);
    void clear() { setHasData(false); }

protected:
    void restyle() override;

private:
    QCPGraph* m_level;
    QCPItemStraightLine* m_centre;
};

} // namespace echolux
