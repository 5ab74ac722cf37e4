// SPDX-License-Identifier: GPL-3.0-or-later
// Curves over the iterations, on a logarithmic scale.
#include "ui/aberration/convergence_plot.hpp"

#include "gpu/aberration/host_estimate.hpp"
#include "ui/plots/index_ticker.hpp"
#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux {
namespace {

constexpr double kLeast = 1e-6; ///< a step that changes nothing has no logarithm, so it has no dot

} // namespace

ConvergencePlot::ConvergencePlot(QWidget* parent)
    : HintPlot("Convergence", "The method has no iterations, or nothing has been estimated yet",
               parent),
      m_change(plot().addGraph()), m_magnitudes(plot().addGraph()), m_published(plot().addGraph()),
      m_at(new QCPItemStraightLine(&plot())), m_legend(plot().legend) {
    m_change->setName("complex change");
    m_magnitudes->setName("of magnitudes (Herikstad)");
    m_published->setName("published");
    for (const aberration::PublishedEnd& end : aberration::kPublishedEnds)
        m_published->addData(end.iterations, end.epsilon);
    plot().setToolTip("Complex change: norm of the difference from the previous filter, divided by "
                      "the norm of the filter. Of magnitudes: Herikstad's |mean(|previous S| / "
                      "|S|) \u2212 1|. It ignores phases, and rises and falls cancel in it. "
                      "Published: the iteration after which his program ended, for three limits "
                      "of this measure (2009, 5.2.1). It depends on the scale of his data, which "
                      "is not published.");
    plot().xAxis->setLabel("iteration");
    plot().xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new IndexTicker));
    plot().yAxis->setScaleType(QCPAxis::stLogarithmic);
    plot().yAxis->setTicker(QSharedPointer<QCPAxisTickerLog>(new QCPAxisTickerLog));
    plot().yAxis->setNumberFormat("gb");
    plot().yAxis->setNumberPrecision(0);
    plot().setMinimumHeight(13 * kGrid);
    putLegendAbove(plot());
    m_at->setLayer("grid");
    restyle();
}

void ConvergencePlot::restyle() {
    m_change->setPen(QPen(plotColour(0), 1.5));
    m_magnitudes->setPen(QPen(plotColour(1), 1.25));
    m_published->setPen(QPen(plotColour(2), 1.0, Qt::DotLine));
    m_published->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssSquare, QPen(plotColour(2), 1.5), Qt::NoBrush, 8.0));
    m_at->setPen(QPen(withAlpha(tokens().secondary, 0.8), 1.0, Qt::DashLine));
    m_legend->setBrush(Qt::NoBrush);
    m_legend->setBorderPen(Qt::NoPen);
    m_legend->setTextColor(tokens().text);
    m_legend->setFont(smallFont());
    for (QCPGraph* graph : {m_change, m_magnitudes})
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 4.0));
}

void ConvergencePlot::clear() {
    for (QCPGraph* graph : {m_change, m_magnitudes}) graph->data()->clear();
    showPublished(false);
    setHasData(false);
}

bool ConvergencePlot::showsPublished() const { return m_published->visible(); }

void ConvergencePlot::showPublished(bool shown) {
    m_published->setVisible(shown);
    shown ? m_published->addToLegend() : m_published->removeFromLegend();
}

void ConvergencePlot::setSteps(const std::vector<IterationStep>& steps, bool published) {
    if (steps.empty()) return clear();
    QVector<double> number, change, magnitudes;
    double least = 1.0, most = kLeast;
    for (const IterationStep& step : steps) {
        const auto drawn = [&](double value) {
            if (!(value > kLeast) || !std::isfinite(value))
                return std::numeric_limits<double>::quiet_NaN();
            least = std::min(least, value);
            most = std::max(most, value);
            return value;
        };
        number << step.number;
        change << drawn(step.change);
        magnitudes << drawn(step.changeOfMagnitudes);
    }
    int last = std::max(steps.back().number, 2);
    if (published) {
        for (const aberration::PublishedEnd& end : aberration::kPublishedEnds) {
            last = std::max(last, end.iterations + 1);
            least = std::min(least, 0.9 * end.epsilon); // not on the frame
            most = std::max(most, end.epsilon);
        }
    }
    showPublished(published);
    m_change->setData(number, change, true);
    m_magnitudes->setData(number, magnitudes, true);
    setHasData(true);
    tools().fit(plot().xAxis, 0.5, last + 0.5);
    tools().fit(plot().yAxis, std::pow(10.0, std::floor(std::log10(least))),
                std::pow(10.0, std::ceil(std::log10(most) + 1e-9)));
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void ConvergencePlot::setStep(int number) {
    m_at->point1->setCoords(number, 1e-9);
    m_at->point2->setCoords(number, 1.0);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

} // namespace echolux
