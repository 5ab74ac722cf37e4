// SPDX-License-Identifier: GPL-3.0-or-later
// Spectrum of the picked column's raw line, in dB re its maximum.
#pragma once

#include "ui/plots/hint_plot.hpp"

#include <vector>

namespace echolux {

struct SpectrumData {
    QString title;
    std::vector<float> levelDb; ///< re its maximum
    double startMHz = 0.0;
    double stepMHz = 0.0;
    QString missing{};      ///< why there is no level; empty: nothing was picked
    double centreMHz = 0.0; ///< of the transmitted pulse, marked by a line; 0 = unknown
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
