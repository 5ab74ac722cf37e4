// SPDX-License-Identifier: GPL-3.0-or-later
// Mini plot of a parameter group.
#include "ui/parameters/mini_plot.hpp"

#include "ui/plots/plot_style.hpp"
#include "ui/theme/theme.hpp"

#include <vector>

namespace echolux {
namespace {

constexpr int kTop = kGrid;
constexpr int kBottom = 4 * kGrid; ///< for tick labels and the name of the axis
constexpr int kHeight = 14 * kGrid;

} // namespace

MiniPlot::MiniPlot(QWidget* parent)
    : QCustomPlot(parent), m_neutral(addGraph()), m_current(addGraph()),
      m_xUnit(new QCPItemText(this)), m_yUnit(new QCPItemText(this)) {
    setFixedHeight(kHeight);
    setInteractions(QCP::iNone);
    // The wheel scrolls the panel, and clicks have no effect here.
    setAttribute(Qt::WA_TransparentForMouseEvents);
    axisRect()->setAutoMargins(QCP::msNone);
    axisRect()->setMargins(QMargins(4 * kGrid, kTop, kGrid, kBottom));
    setMinimumWidth(10 * kGrid);
    for (QCPItemText* unit : {m_xUnit, m_yUnit}) {
        unit->position->setType(QCPItemPosition::ptAxisRectRatio);
        unit->setPadding(QMargins(3, 1, 3, 1));
    }
    // It lies below the tick labels, where no curve runs.
    m_xUnit->setClipToAxisRect(false);
    m_xUnit->position->setCoords(1.0, 1.0 + double(kBottom) / (kHeight - kTop - kBottom));
    m_xUnit->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    m_yUnit->position->setCoords(0.0, 0.0);
    m_yUnit->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    yAxis->ticker()->setTickCount(3);
    xAxis->ticker()->setTickCount(5);
    connect(&Theme::instance(), &Theme::changed, this, &MiniPlot::restyle);
    restyle();
}

void MiniPlot::restyle() {
    stylePlot(*this);
    m_neutral->setPen(QPen(tokens().edge, 1.0));
    m_current->setPen(QPen(plotColour(0), 1.5));
    for (QCPItemText* unit : {m_xUnit, m_yUnit}) {
        unit->setFont(smallFont());
        unit->setColor(tokens().secondary);
        unit->setBrush(withAlpha(tokens().panel, 0.7));
    }
    replot(rpQueuedReplot);
}

void MiniPlot::setCurve(const StageCurve& curve) {
    const auto list = [](const std::vector<double>& values) {
        return QVector<double>(values.begin(), values.end());
    };
    m_neutral->setData(list(curve.neutralX), list(curve.neutralY), true);
    m_current->setData(list(curve.x), list(curve.y), true);
    xAxis->setRange(curve.xMin, curve.xMax);
    yAxis->setRange(curve.yMin, curve.yMax);
    m_xUnit->setText(QString::fromStdString(curve.xLabel));
    m_yUnit->setText(QString::fromStdString(curve.yLabel));
    replot(rpQueuedReplot);
}

} // namespace echolux
