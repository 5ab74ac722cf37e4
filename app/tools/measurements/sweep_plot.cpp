// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tools/measurements/sweep_plot.hpp"

#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {

SweepPlot::SweepPlot(QWidget* parent)
    : HintPlot("Figure over a parameter", "Choose a parameter and a figure, then press Sweep",
               parent),
      m_line(plot().addGraph()), m_best(plot().addGraph()),
      m_now(new QCPItemStraightLine(&plot())) {
    m_line->setName("figure");
    m_best->setName("best");
    m_best->setLineStyle(QCPGraph::lsNone);
    setToolTip("Dashed: the value in force. Circle: the best value.");
    restyle();
}

void SweepPlot::restyle() {
    m_line->setPen(QPen(plotColour(0), 1.5));
    m_line->setScatterStyle({QCPScatterStyle::ssDisc, plotColour(0), 3.0});
    m_best->setScatterStyle({QCPScatterStyle::ssCircle, plotColour(1), 10.0});
    m_now->setPen(QPen(tokens().secondary, 1.0, Qt::DashLine));
}

void SweepPlot::setCurve(const SweepCurve& curve) {
    m_curve = curve;
    setHasData(!curve.values.isEmpty());
    if (curve.values.isEmpty()) return;
    setSubtitle(curve.figure);
    plot().xAxis->setLabel(curve.parameter);
    plot().yAxis->setLabel({});
    m_line->setData(curve.values, curve.figures, true);
    m_best->data()->clear();
    if (curve.best) {
        const auto at = curve.values.indexOf(*curve.best);
        if (at >= 0) m_best->addData(*curve.best, curve.figures[at]);
    }
    m_now->setVisible(curve.now.has_value());
    if (curve.now) {
        m_now->point1->setCoords(*curve.now, 0.0);
        m_now->point2->setCoords(*curve.now, 1.0);
    }
    tools().fit(plot().xAxis, curve.from, curve.to);
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (const double figure : curve.figures) {
        if (!std::isfinite(figure)) continue;
        low = std::min(low, figure);
        high = std::max(high, figure);
    }
    constexpr double kMargin = 0.06;
    const double room = high > low ? kMargin * (high - low) : std::max(std::abs(high), 1.0) * 0.1;
    if (low <= high) tools().fit(plot().yAxis, low - room, high + room);
    drawNow();
}

} // namespace echolux
