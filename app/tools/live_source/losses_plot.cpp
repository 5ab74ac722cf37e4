// SPDX-License-Identifier: GPL-3.0-or-later
// Rates from totals.
#include "app/tools/live_source/losses_plot.hpp"

#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/plots/sliding_curve.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>

namespace echolux {
namespace {

constexpr double kShownS = 60.0;
constexpr const char* kPlaceNames[] = {"came", "lost: source", "memory", "left out", "shown"};
constexpr double kShortestS = 0.1; ///< rates over less are only noise

} // namespace

LossesPlot::LossesPlot(QWidget* parent) : QCustomPlot(parent) {
    setMinimumHeight(18 * kGrid);
    xAxis->setLabel("time (s)");
    yAxis->setLabel("frames/s");
    yAxis->ticker()->setTickCount(4);
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        m_curves[i] = addGraph();
        m_curves[i]->setName(kPlaceNames[i]);
    }
    legend->setWrap(3); // the dock is narrow
    putLegendAbove(*this);
    connect(&Theme::instance(), &Theme::changed, this, &LossesPlot::restyle);
    restyle();
    m_tools = new PlotTools(*this, "Live source");
    m_tools->fit(xAxis, -kShownS, 0.0);
}

void LossesPlot::restyle() {
    stylePlot(*this);
    constexpr int kColours[] = {2, 1, 3, 4, 0};
    for (std::size_t i = 0; i < m_curves.size(); ++i)
        m_curves[i]->setPen(QPen(plotColour(kColours[i]), 1.5));
    replot(rpQueuedReplot);
}

void LossesPlot::clear() {
    for (QCPGraph* curve : m_curves) curve->data()->clear();
    m_range.reset();
    m_last = {};
    replot(rpQueuedReplot);
}

void LossesPlot::add(const LossTotals& totals) {
    const double passed = totals.timeS - m_last.timeS;
    if (m_last.timeS > 0.0 && passed >= 0.0 && passed < kShortestS) return;
    const bool follows = m_last.timeS > 0.0 && passed > 0.0 && passed < kShownS;
    double most = 0.0;
    for (std::size_t i = 0; follows && i < m_curves.size(); ++i) {
        slideCurve(*m_curves[i], passed, kShownS);
        const double rate = std::max(0.0, (totals.frames[i] - m_last.frames[i]) / passed);
        m_curves[i]->addData(0.0, rate);
        most = std::max(most, rate);
    }
    m_last = totals;
    if (!follows) return;
    m_tools->fit(yAxis, 0.0, 1.05 * std::max(1.0, m_range.update(most)));
    if (isVisible()) replot(rpQueuedReplot);
}

} // namespace echolux
