// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of the history plot.
#include "ui/performance/history_plot.hpp"

#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/plots/sliding_curve.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>

namespace echolux {
namespace {

constexpr double kHeadroom = 1.05;

} // namespace

HistoryPlot::HistoryPlot(QWidget* parent)
    : QCustomPlot(parent), m_processed(addGraph()), m_shown(addGraph()),
      m_latency(addGraph(xAxis, yAxis2)) {
    setMinimumHeight(15 * kGrid);
    xAxis->setLabel("time (s)");
    yAxis->setLabel("frames/s");
    yAxis2->setLabel("ms");
    yAxis2->setVisible(true);
    yAxis2->grid()->setVisible(false);
    for (QCPAxis* axis : {yAxis, yAxis2}) axis->ticker()->setTickCount(4);
    m_processed->setName("processed");
    m_shown->setName("shown");
    m_latency->setName("latency, 99 %");
    putLegendAbove(*this);
    connect(&Theme::instance(), &Theme::changed, this, &HistoryPlot::restyle);
    restyle();
    m_tools = new PlotTools(*this, "Performance");
    m_tools->fit(xAxis, -kHistoryS, 0.0);
}

void HistoryPlot::restyle() {
    stylePlot(*this);
    m_processed->setPen(QPen(plotColour(2), 1.5));
    m_shown->setPen(QPen(plotColour(0), 1.5));
    m_latency->setPen(QPen(plotColour(1), 1.25));
    replot(rpQueuedReplot);
}

void HistoryPlot::clear() {
    for (int i = 0; i < graphCount(); ++i) graph(i)->data()->clear();
    m_rate.reset();
    m_milliseconds.reset();
    replot(rpQueuedReplot);
}

void HistoryPlot::add(const Readouts& readouts) {
    const double before = m_shown->dataCount() > 0 ? m_lastS : readouts.timeS;
    const double moved = readouts.timeS - before;
    m_lastS = readouts.timeS;
    if (moved < 0.0) clear();
    const auto append = [&](QCPGraph* curve, double value) {
        slideCurve(*curve, moved, kHistoryS);
        curve->addData(0.0, value);
    };
    append(m_processed, readouts.processedPerS);
    append(m_shown, readouts.shownPerS);
    append(m_latency, readouts.latency99Ms);
    m_tools->fit(yAxis, 0.0,
                 kHeadroom * std::max(1.0, m_rate.update(std::max(readouts.processedPerS,
                                                                  readouts.shownPerS))));
    m_tools->fit(yAxis2, 0.0,
                 kHeadroom * std::max(0.1, m_milliseconds.update(readouts.latency99Ms)));
    if (isVisible()) replot(rpQueuedReplot);
}

void HistoryPlot::showEvent(QShowEvent* event) {
    QCustomPlot::showEvent(event);
    replot(rpQueuedReplot);
}

} // namespace echolux
