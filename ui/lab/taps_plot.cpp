// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/taps_plot.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr double kLeastWeight = -0.35;
constexpr double kMostWeight = 1.1;

double sinc(double x) {
    const double turn = std::numbers::pi * x;
    return std::abs(turn) < 1e-9 ? 1.0 : std::sin(turn) / turn;
}

} // namespace

TapsPlot::TapsPlot(QWidget* parent)
    : HintPlot("Taps", "Choose an interpolator", parent), m_ideal(plot().addGraph()),
      m_taps(plot().addGraph()) {
    plot().xAxis->setLabel("sample");
    plot().yAxis->setLabel("weight");
    plot().yAxis->ticker()->setTickCount(4);
    m_ideal->setName("ideal");
    m_taps->setName("taps");
    m_taps->setLineStyle(QCPGraph::lsImpulse);
    tools().fit(plot().yAxis, kLeastWeight, kMostWeight);
    restyle();
}

void TapsPlot::restyle() {
    m_ideal->setPen(QPen(tokens().secondary, 1.0, Qt::DashLine));
    m_taps->setPen(QPen(plotColour(0), 1.5));
    m_taps->setScatterStyle({QCPScatterStyle::ssDisc, plotColour(0), 5.0});
}

void TapsPlot::setResponse(const LabResponse& response) {
    setHasData(!response.tapOffsets.isEmpty());
    if (response.tapOffsets.isEmpty()) return;
    setSubtitle("read at " + numberText(response.fraction, 2));
    m_taps->setData(response.tapOffsets, response.tapWeights, true);
    constexpr double kBeside = 1.5;
    constexpr int kPerSample = 16;
    const auto [first, last] = std::ranges::minmax(response.tapOffsets);
    const double from = std::min(first, -1.0) - kBeside;
    const double to = std::max(last, 2.0) + kBeside;
    QVector<double> places;
    QVector<double> weights;
    for (int i = 0; i <= static_cast<int>((to - from) * kPerSample); ++i) {
        places << from + static_cast<double>(i) / kPerSample;
        weights << sinc(places.back() - response.fraction);
    }
    m_ideal->setData(places, weights, true);
    tools().fit(plot().xAxis, from, to);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

} // namespace echolux
