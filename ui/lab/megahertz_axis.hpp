// SPDX-License-Identifier: GPL-3.0-or-later
// A second axis in MHz above a plot over cycles per sample.
#pragma once

#include "ui/lab/filter_lab.hpp"

class QCustomPlot;

namespace echolux {

class MegahertzAxis {
public:
    explicit MegahertzAxis(QCustomPlot& plot);
    /// Hides the axis where the sampling frequency is unknown.
    void setSampling(const LabSampling& sampling);

private:
    void follow() const;

    QCustomPlot& m_plot;
    double m_samplingMHz = 0.0;
};

} // namespace echolux
