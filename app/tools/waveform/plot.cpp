// SPDX-License-Identifier: GPL-3.0-or-later
// Two curves, each with an axis of its own.
#include "app/tools/waveform/plot.hpp"

#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>

namespace echolux {
namespace {

constexpr double kBeatDotSize = 6.0;
constexpr int kResistivityInk = 0;
constexpr int kPulsatilityInk = 1;

} // namespace

WaveformPlot::WaveformPlot(QWidget* parent)
    : HintPlot("Indices",
               "Open a pipeline with a sonogram, such as spectral_doppler, to see its heartbeats",
               parent),
      m_resistivity(plot().addGraph()),
      m_pulsatility(plot().addGraph(plot().xAxis, plot().yAxis2)) {
    m_resistivity->setName("resistivity");
    m_pulsatility->setName("pulsatility");
    plot().yAxis->setLabel("resistivity index");
    plot().yAxis2->setLabel("pulsatility index");
    plot().yAxis2->setVisible(true);
    plot().yAxis2->setTickLabels(true);
    for (QCPAxis* axis : {plot().yAxis, plot().yAxis2}) axis->ticker()->setTickCount(4);
    restyle();
    clear();
}

void WaveformPlot::restyle() {
    const auto style = [](QCPGraph& graph, QCPAxis& axis, int ink) {
        graph.setPen(QPen(plotColour(ink), 1.5));
        graph.setScatterStyle(
            {QCPScatterStyle::ssDisc, plotColour(ink), plotColour(ink), kBeatDotSize});
        axis.setLabelColor(plotColour(ink));
    };
    style(*m_resistivity, *plot().yAxis, kResistivityInk);
    style(*m_pulsatility, *plot().yAxis2, kPulsatilityInk);
    plot().yAxis2->grid()->setVisible(false);
}

void WaveformPlot::clear(const QString& reason) {
    setHint(reason);
    setHasData(false);
}

void WaveformPlot::setIndices(const IndicesOverTime& indices) {
    if (indices.times.isEmpty())
        return clear("No heartbeat is whole in the shown time; raise 'lines' or 'hop' of the "
                     "stage to show more than one");
    setHasData(true);
    m_resistivity->setData(indices.times, indices.resistivity, true);
    m_pulsatility->setData(indices.times, indices.pulsatility, true);
    plot().xAxis->setLabel(indices.timeLabel);
    tools().fit(plot().xAxis, indices.from, indices.to);
    // Axes from 0, so that both courses keep their height while beats come and go.
    const auto top = [](const QVector<double>& values) {
        double most = 1.0;
        for (const double value : values)
            if (value > most) most = value; // NaN is not
        constexpr double kRoom = 1.1;
        return kRoom * most;
    };
    tools().fit(plot().yAxis, 0.0, top(indices.resistivity));
    tools().fit(plot().yAxis2, 0.0, top(indices.pulsatility));
    drawNow();
}

} // namespace echolux
