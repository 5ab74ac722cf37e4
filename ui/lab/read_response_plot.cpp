// SPDX-License-Identifier: GPL-3.0-or-later
// Magnitude on the left axis, delay on the right one.
#include "ui/lab/read_response_plot.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

namespace echolux {
namespace {

constexpr double kLeastMagnitudeDb = -20.0;
constexpr double kMostMagnitudeDb = 5.0;
constexpr double kDelaySpan = 0.5; ///< samples on each side of the ideal delay

} // namespace

ReadResponsePlot::ReadResponsePlot(QWidget* parent)
    : HintPlot("Response", "Choose an interpolator", parent), m_magnitude(plot().addGraph()),
      m_delay(plot().addGraph(plot().xAxis, plot().yAxis2)),
      m_ideal(plot().addGraph(plot().xAxis, plot().yAxis2)), m_lowest(plot().addGraph()),
      m_highest(plot().addGraph()), m_band(plot()) {
    plot().xAxis->setLabel("frequency (cycles per sample)");
    plot().yAxis->setLabel("magnitude (dB)");
    plot().yAxis2->setLabel("delay (samples)");
    plot().yAxis2->setVisible(true);
    plot().yAxis2->setTickLabels(true);
    plot().yAxis2->grid()->setVisible(false);
    for (QCPAxis* axis : {plot().yAxis, plot().yAxis2}) axis->ticker()->setTickCount(4);
    m_magnitude->setName("magnitude");
    m_delay->setName("delay");
    m_ideal->setName("ideal");
    m_lowest->setName("lowest of all fractions");
    m_highest->setName("highest of all fractions");
    m_highest->setChannelFillGraph(m_lowest);
    for (QCPGraph* edge : {m_lowest, m_highest}) edge->setLayer("grid"); // behind the curves
    tools().fit(plot().xAxis, 0.0, 0.5);
    tools().fit(plot().yAxis, kLeastMagnitudeDb, kMostMagnitudeDb);
    restyle();
}

void ReadResponsePlot::restyle() {
    m_magnitude->setPen(QPen(plotColour(0), 1.25));
    m_delay->setPen(QPen(plotColour(1), 1.25));
    m_ideal->setPen(QPen(tokens().secondary, 1.0, Qt::DashLine));
    for (QCPGraph* edge : {m_lowest, m_highest}) edge->setPen(Qt::NoPen);
    m_highest->setBrush(withAlpha(plotColour(0), 0.25));
    m_band.paint(tokens().accent, Qt::NoPen);
    plot().yAxis->setLabelColor(plotColour(0));
    plot().yAxis2->setLabelColor(plotColour(1));
}

void ReadResponsePlot::setResponse(const LabResponse& response) {
    setHasData(!response.frequencies.isEmpty());
    if (response.frequencies.isEmpty()) return;
    setSubtitle(response.name + " at " + numberText(response.fraction, 2) + " sample");
    m_megahertz.setSampling(response.sampling);
    m_magnitude->setData(response.frequencies, response.magnitudeDb, true);
    m_delay->setData(response.frequencies, response.delay, true);
    m_lowest->setData(response.rangeFrequencies, response.lowestDb, true);
    m_highest->setData(response.rangeFrequencies, response.highestDb, true);
    m_band.place(response.band);
    m_ideal->setData({0.0, 0.5}, {response.fraction, response.fraction}, true);
    tools().fit(plot().yAxis2, response.fraction - kDelaySpan, response.fraction + kDelaySpan);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

} // namespace echolux
