// SPDX-License-Identifier: GPL-3.0-or-later
// The upper axis follows the lower one, also while the user zooms.
#include "ui/lab/megahertz_axis.hpp"

#include <qcustomplot.h>

namespace echolux {

MegahertzAxis::MegahertzAxis(QCustomPlot& plot) : m_plot(plot) {
    QObject::connect(plot.xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), &plot,
                     [this] { follow(); });
    plot.xAxis2->grid()->setVisible(false);
}

void MegahertzAxis::setSampling(const LabSampling& sampling) {
    m_samplingMHz = sampling.megahertz;
    const bool known = m_samplingMHz > 0.0;
    m_plot.xAxis2->setVisible(known);
    m_plot.xAxis2->setTickLabels(known);
    m_plot.xAxis2->setLabel(sampling.asRecorded ? "frequency (MHz)"
                                                : "frequency at the beamformer's input (MHz)");
    follow();
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

void MegahertzAxis::follow() const {
    if (!(m_samplingMHz > 0.0)) return;
    const QCPRange& cycles = m_plot.xAxis->range();
    m_plot.xAxis2->setRange(cycles.lower * m_samplingMHz, cycles.upper * m_samplingMHz);
}

} // namespace echolux
