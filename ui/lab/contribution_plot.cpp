// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/contribution_plot.hpp"

#include "ui/plots/index_ticker.hpp"
#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr const char* kHint = "Point at a pixel of the image, or click it";

double largestOf(const std::vector<double>& values) {
    double largest = 0.0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    return largest;
}

} // namespace

ContributionPlot::ContributionPlot(QWidget* parent)
    : HintPlot("Contributions", kHint, parent), m_bars(nullptr), m_magnitude(nullptr) {
    m_magnitude = plot().addGraph();
    m_magnitude->setName("magnitude");
    m_magnitude->setLineStyle(QCPGraph::lsStepCenter);
    m_bars = new QCPBars(plot().xAxis, plot().yAxis);
    m_bars->setName("in phase with the sum");
    m_bars->setWidth(0.8);
    putLegendAbove(plot());
    plot().yAxis->setLabel("relative to the largest");
    plot().xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new IndexTicker));
    restyle();
}

void ContributionPlot::restyle() {
    m_bars->setPen(Qt::NoPen);
    m_bars->setBrush(withAlpha(plotColour(0), 0.85));
    m_magnitude->setPen(QPen(withAlpha(plotColour(1), 0.9), 1.25));
}

void ContributionPlot::clear(const QString& why) {
    m_shown = {};
    setHint(why.isEmpty() ? QString(kHint) : why);
    setHasData(false);
}

void ContributionPlot::setContributions(const Contributions& of) {
    m_shown = of;
    if (of.inPhase.empty()) return clear();
    const double largest = std::max(largestOf(of.inPhase), largestOf(of.magnitude));
    const double scale = largest > 0.0 ? 1.0 / largest : 0.0;
    const auto scaled = [&](const std::vector<double>& values) {
        QVector<double> drawn;
        for (const double value : values) drawn << scale * value;
        return drawn;
    };
    QVector<double> elements;
    for (std::size_t e = 0; e < of.inPhase.size(); ++e) elements << static_cast<double>(e + 1);
    m_bars->setData(elements, scaled(of.inPhase), true);
    const bool complex = !of.magnitude.empty();
    m_magnitude->setVisible(complex);
    if (complex) m_magnitude->setData(elements, scaled(of.magnitude), true);
    complex ? m_magnitude->addToLegend() : m_magnitude->removeFromLegend();
    complex ? m_bars->addToLegend() : m_bars->removeFromLegend();
    plot().xAxis->setLabel(
        QString("element; %1 % of the magnitudes add up").arg(std::lround(100.0 * of.agreement)));
    setHasData(true);
    setSubtitle(of.text);
    tools().fit(plot().xAxis, 0.5, static_cast<double>(of.inPhase.size()) + 0.5);
    tools().fit(plot().yAxis, -1.05, 1.05);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void ContributionPlot::showEvent(QShowEvent* event) {
    HintPlot::showEvent(event);
    emit sightChanged(true);
}

void ContributionPlot::hideEvent(QHideEvent* event) {
    HintPlot::hideEvent(event);
    emit sightChanged(false);
}

} // namespace echolux
