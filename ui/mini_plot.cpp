// SPDX-License-Identifier: GPL-3.0-or-later
// Mini plot of a parameter group.
#include "ui/mini_plot.hpp"

#include "ui/plot_style.hpp"
#include "ui/theme.hpp"

namespace echolux {
namespace {

constexpr int kHeight = 12 * kGrid;

} // namespace

MiniPlot::MiniPlot(QWidget* parent)
    : QCustomPlot(parent), m_neutral(addGraph()), m_current(addGraph()) {
    setFixedHeight(kHeight);
    setInteractions(QCP::iNone);
    // The wheel scrolls the panel, and clicks mean nothing here.
    setAttribute(Qt::WA_TransparentForMouseEvents);
    axisRect()->setAutoMargins(QCP::msNone);
    axisRect()->setMargins(QMargins(4 * kGrid, kGrid / 2, kGrid, 3 * kGrid + kGrid / 2));
    yAxis->ticker()->setTickCount(3);
    xAxis->ticker()->setTickCount(5);
    connect(&Theme::instance(), &Theme::changed, this, &MiniPlot::restyle);
    restyle();
}

void MiniPlot::restyle() {
    stylePlot(*this);
    m_neutral->setPen(QPen(tokens().edge, 1.0));
    m_current->setPen(QPen(plotColour(0), 1.5));
    replot(rpQueuedReplot);
}

void MiniPlot::setCurve(const CurveData& curve) {
    m_neutral->setData(curve.neutralX, curve.neutralY, true);
    m_current->setData(curve.x, curve.y, true);
    xAxis->setRange(curve.xMin, curve.xMax);
    yAxis->setRange(curve.yMin, curve.yMax);
    xAxis->setLabel(curve.xLabel);
    yAxis->setLabel(curve.yLabel);
    replot(rpQueuedReplot);
}

} // namespace echolux
