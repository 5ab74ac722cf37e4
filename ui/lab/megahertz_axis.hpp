// SPDX-License-Identifier: GPL-3.0-or-later
// Above a plot over cycles per sample, the same frequencies in MHz.
#pragma once

#include "ui/lab/filter_lab.hpp"

class QCustomPlot;

namespace echolux {

class MegahertzAxis {
public:
    explicit MegahertzAxis(QCustomPlot& plot);
    void setSampling(const LabSampling& sampling); ///< there is no such axis where none is known

private:
    void follow() const;

    QCustomPlot& m_plot;
    double m_samplingMHz = 0.0;
};

} // namespace echolux
