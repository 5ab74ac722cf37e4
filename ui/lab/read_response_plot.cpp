// SPDX-License-Identifier: GPL-3.0-or-later
// Magnitude on the left axis, delay on the right one.
#include "ui/lab/read_response_plot.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

namespace echolux {
namespace {

constexpr int kLeastHeight = 28 * kGrid; // for many curves
constexpr double kLeastMagnitudeDb = -20.0;
constexpr double kMostMagnitudeDb = 5.0;
// The delays of all fractions have the axis to themselves, with room for the curves' ends.
constexpr double kLeastDelay = -0.25;
constexpr double kMostDelay = 1.25;

} // namespace

ReadResponsePlot::ReadResponsePlot(QWidget* parent)
    : HintPlot("Response", "Choose an interpolator", parent), m_magnitude(plot().addGraph()),
      m_delay(plot().addGraph(plot().xAxis, plot().yAxis2)),
      m_ideal(plot().addGraph(plot().xAxis, plot().yAxis2)), m_band(plot()) {
    plot().setMinimumHeight(kLeastHeight);
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
    tools().fit(plot().xAxis, 0.0, 0.5);
    tools().fit(plot().yAxis, kLeastMagnitudeDb, kMostMagnitudeDb);
    tools().fit(plot().yAxis2, kLeastDelay, kMostDelay);
    restyle();
}

void ReadResponsePlot::restyle() {
    m_magnitude->setPen(QPen(plotColour(0), 2.0));
    m_delay->setPen(QPen(plotColour(1), 2.0));
    for (QCPGraph* curve : m_magnitudes) curve->setPen(QPen(withAlpha(plotColour(0), 0.55), 1.0));
    for (QCPGraph* curve : m_delays) curve->setPen(QPen(withAlpha(plotColour(1), 0.55), 1.0));
    m_ideal->setPen(QPen(tokens().secondary, 1.0, Qt::DashLine));
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
    showFamily(response.family);
    m_band.place(response.band);
    m_ideal->setData({0.0, 0.5}, {response.fraction, response.fraction}, true);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void ReadResponsePlot::showFamily(const std::vector<LabFraction>& family) {
    const auto shown = [&](std::vector<QCPGraph*>& curves, QCPAxis* values) {
        while (curves.size() < family.size()) {
            curves.push_back(plot().addGraph(plot().xAxis, values));
            curves.back()->setLayer("grid"); // behind the thick curves
        }
        for (; curves.size() > family.size(); curves.pop_back()) plot().removeGraph(curves.back());
    };
    const std::size_t before = m_delays.size();
    shown(m_magnitudes, plot().yAxis);
    shown(m_delays, plot().yAxis2);
    for (std::size_t i = 0; i < family.size(); ++i) {
        const LabFraction& one = family[i];
        const QString at = " at " + numberText(one.fraction, 3);
        m_magnitudes[i]->setName("magnitude" + at);
        m_delays[i]->setName("delay" + at);
        m_magnitudes[i]->setData(one.frequencies, one.magnitudeDb, true);
        m_delays[i]->setData(one.frequencies, one.delay, true);
    }
    if (m_delays.size() != before) restyle();
}

} // namespace echolux
