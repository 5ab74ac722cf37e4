// SPDX-License-Identifier: GPL-3.0-or-later
// A curve and its marks.
#include "ui/aberration/bins_plot.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/plots/plot_painting.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>

namespace echolux {
namespace {

constexpr double kLowestDb = -60.0;

} // namespace

BinsPlot::BinsPlot(QWidget* parent)
    : HintPlot("Spectrum", "Nothing has been estimated yet", parent), m_curve(nullptr) {
    new PlotPainting(plot(), [this](QCPPainter& painter) { paint(painter); });
    m_curve = plot().addGraph();
    m_curve->setName("mean of the channels (dB)");
    plot().setToolTip("Mean power of the channels in the region. Lines: the frequencies that the "
                      "estimate is made from, chosen by centre frequency, bandwidth and bins");
    plot().xAxis->setLabel("frequency (MHz)");
    plot().yAxis->setLabel("level (dB)");
    plot().yAxis->ticker()->setTickCount(4);
    plot().setMinimumHeight(13 * kGrid);
    restyle();
}

void BinsPlot::restyle() { m_curve->setPen(QPen(plotColour(0), 1.25)); }

void BinsPlot::clear() {
    m_bins.clear();
    m_curve->data()->clear();
    setHasData(false);
}

void BinsPlot::setSpectrum(const ChannelSpectrum& spectrum) {
    if (spectrum.frequencyMhz.isEmpty()) return clear();
    m_bins = spectrum.binsMhz;
    m_curve->setData(spectrum.frequencyMhz, spectrum.levelDb, true);
    setHasData(true);
    if (!m_bins.isEmpty()) {
        setSubtitle(m_bins.size() == 1
                        ? QString("1 bin at %1 MHz").arg(numberText(m_bins.front(), 2))
                        : QString("%1 bins, %2 to %3 MHz")
                              .arg(m_bins.size())
                              .arg(numberText(m_bins.front(), 2), numberText(m_bins.back(), 2)));
    }
    tools().fit(plot().xAxis, spectrum.frequencyMhz.front(), spectrum.frequencyMhz.back());
    tools().fit(plot().yAxis, kLowestDb, 3.0);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void BinsPlot::paint(QCPPainter& painter) {
    const QRectF area(plot().axisRect()->rect());
    painter.setPen(QPen(withAlpha(plotColour(1), 0.7), 1.0));
    for (const double bin : m_bins) {
        const double x = plot().xAxis->coordToPixel(bin);
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
}

} // namespace echolux
