// SPDX-License-Identifier: GPL-3.0-or-later
// Two curves that move to the left with time.
#include "ui/aberration/running_plot.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/plots/sliding_curve.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {

RunningPlot::RunningPlot(const QString& title, const QString& help, QWidget* parent)
    : HintPlot(title, "Nothing has been estimated yet", parent), m_without(plot().addGraph()),
      m_with(plot().addGraph()), m_legend(plot().legend) {
    m_without->setName("without");
    m_with->setName("with correction");
    plot().setToolTip(help);
    plot().xAxis->setLabel("time (s)");
    plot().yAxis->setLabel(title.toLower());
    plot().yAxis->ticker()->setTickCount(4);
    plot().setMinimumHeight(13 * kGrid);
    putLegendAbove(plot());
    tools().fit(plot().xAxis, -kSeconds, 1.0);
    restyle();
}

void RunningPlot::restyle() {
    m_without->setPen(QPen(tokens().secondary, 1.25));
    m_with->setPen(QPen(plotColour(2), 1.5));
    m_legend->setBrush(Qt::NoBrush);
    m_legend->setBorderPen(Qt::NoPen);
    m_legend->setTextColor(tokens().text);
    m_legend->setFont(smallFont());
    for (QCPGraph* graph : {m_without, m_with}) {
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 3.0));
    }
}

void RunningPlot::clear() {
    for (QCPGraph* graph : {m_without, m_with}) graph->data()->clear();
    m_range.reset();
    setHasData(false);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void RunningPlot::add(double timeS, double without, double with) {
    if (!std::isfinite(without) || !std::isfinite(with)) return;
    const double moved = count() > 0 ? timeS - m_lastS : 0.0;
    if (moved < 0.0) clear();
    m_lastS = timeS;
    for (QCPGraph* graph : {m_without, m_with}) slideCurve(*graph, moved, kSeconds);
    m_without->addData(0.0, without);
    m_with->addData(0.0, with);
    setHasData(true);
    setSubtitle(QString("%1 \u2192 %2").arg(significantText(without, 3), significantText(with, 3)));
    tools().fit(plot().yAxis, 0.0, std::max(1e-6, m_range.update(std::max(without, with))));
    plot().replot(QCustomPlot::rpQueuedReplot);
}

} // namespace echolux
