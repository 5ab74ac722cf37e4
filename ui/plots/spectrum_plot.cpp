// SPDX-License-Identifier: GPL-3.0-or-later
// Curve of the spectrum plot.
#include "ui/plots/spectrum_plot.hpp"

#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

namespace echolux {

SpectrumPlot::SpectrumPlot(QWidget* parent)
    : HintPlot("Spectrum", "Click a column in the image", parent), m_level(plot().addGraph()),
      m_centre(new QCPItemStraightLine(&plot())) {
    plot().xAxis->setLabel("frequency (MHz)");
    plot().yAxis->setLabel("level (dB re max)");
    tools().fit(plot().yAxis, kFloorDb, 3.0);
    restyle();
}

void SpectrumPlot::restyle() {
    m_level->setPen(QPen(plotColour(0), 1.25));
    m_centre->setPen(QPen(tokens().secondary, 1.0, Qt::DashLine));
}

void SpectrumPlot::setData(const SpectrumData& spectrum) {
    const auto count = static_cast<qsizetype>(spectrum.levelDb.size());
    setHasData(count > 0);
    setHint(spectrum.missing);
    if (count == 0) return;
    setSubtitle(spectrum.title);
    QVector<double> frequency(count), level(count);
    for (qsizetype i = 0; i < count; ++i) {
        const double value = spectrum.levelDb[static_cast<std::size_t>(i)];
        frequency[i] = spectrum.startMHz + static_cast<double>(i) * spectrum.stepMHz;
        level[i] = value > kFloorDb ? value : kFloorDb;
    }
    m_level->setData(frequency, level, true);
    m_centre->setVisible(spectrum.centreMHz > 0.0);
    m_centre->point1->setCoords(spectrum.centreMHz, 0.0);
    m_centre->point2->setCoords(spectrum.centreMHz, 1.0);
    tools().fit(plot().xAxis, frequency.front(), frequency.back());
    drawNow();
}

} // namespace echolux
