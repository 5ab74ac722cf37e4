// SPDX-License-Identifier: GPL-3.0-or-later
// Roofs as lines, stages as points with their names.
#include "app/tools/prediction/roofline_plot.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/plots/plot_style.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr double kGiga = 1e9;
constexpr double kPointSize = 7.0;
constexpr double kRoom = 3.0; ///< factor between the outermost point and the edge of the plot

void setRoof(QCPGraph& graph, double bytesPerS, double operationsPerS, double from, double to) {
    const double ridge = operationsPerS / bytesPerS;
    QVector<double> x{from, std::clamp(ridge, from, to), to};
    QVector<double> y;
    for (const double at : x) y.append(std::min(at * bytesPerS, operationsPerS) / kGiga);
    graph.setData(x, y, true);
}

/// Ticks at 1, 10, 100, and between them at 3, 30, ... where there are few.
void setDecades(QCPAxis& axis, double from, double to) {
    constexpr double kFewDecades = 2.5;
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    const bool few = std::log10(to / from) < kFewDecades;
    for (double decade = std::pow(10.0, std::floor(std::log10(from))); decade <= to;
         decade *= 10.0) {
        for (const double tick : {decade, 3.0 * decade}) {
            if (tick < from || tick > to || (tick > decade && !few)) continue;
            ticker->addTick(tick, tick < 1.0 ? significantText(tick, 1) : numberText(tick, 0));
        }
    }
    axis.setRange(from, to);
    axis.setTicker(ticker);
}

} // namespace

RooflinePlot::RooflinePlot(QWidget* parent)
    : HintPlot("Roofline", "Open a recording to see what bounds its pipeline", parent),
      m_reached(plot().addGraph()), m_theory(plot().addGraph()), m_mixed(plot().addGraph()),
      m_predicted(plot().addGraph()), m_measured(plot().addGraph()) {
    for (QCPAxis* axis : {plot().xAxis, plot().yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setSubTicks(false);
    }
    plot().xAxis->setLabel("operations per byte of global memory");
    plot().yAxis->setLabel("1e9 operations/s");
    m_reached->setName("reached");
    m_theory->setName("theory");
    m_mixed->setName("utilisation");
    m_predicted->setName("predicted");
    m_measured->setName("measured");
    for (QCPGraph* points : {m_predicted, m_measured}) points->setLineStyle(QCPGraph::lsNone);
    plot().legend->setVisible(true);
    putLegendAbove(plot());
    restyle();
    clear();
}

void RooflinePlot::restyle() {
    m_reached->setPen(QPen(tokens().text, 1.5));
    m_theory->setPen(QPen(tokens().secondary, 1.0, Qt::DashLine));
    m_mixed->setPen(QPen(tokens().secondary, 1.0, Qt::DotLine));
    m_predicted->setScatterStyle({QCPScatterStyle::ssDisc, plotColour(0), kPointSize});
    m_measured->setScatterStyle({QCPScatterStyle::ssCross, plotColour(1), kPointSize});
    m_predicted->setPen(QPen(plotColour(0), 1.0));
    m_measured->setPen(QPen(plotColour(1), 1.5));
    for (QCPItemText* name : m_names) {
        name->setColor(tokens().text);
        name->setFont(smallFont());
    }
}

void RooflinePlot::clear() {
    for (QCPGraph* graph : {m_reached, m_theory, m_mixed, m_predicted, m_measured})
        graph->data()->clear();
    for (QCPItemText* name : m_names) plot().removeItem(name);
    m_names.clear();
    setSubtitle({});
    setHasData(false);
}

int RooflinePlot::points() const { return m_predicted->dataCount(); }

bool RooflinePlot::hasUtilisationRoof() const { return m_mixed->dataCount() > 0; }

void RooflinePlot::setPipeline(const PredictedPipeline& pipeline) {
    clear();
    const PredictedRoofs& roofs = pipeline.roofs;
    if (roofs.bytes <= 0.0 || roofs.operations <= 0.0) return;
    const double ridge = roofs.operations / roofs.bytes;
    double from = ridge / kRoom;
    double to = ridge * kRoom;
    double least = roofs.operations;
    for (const PredictedStage& stage : pipeline.stages) {
        if (stage.operations <= 0.0 || stage.globalBytes <= 0.0 || stage.middleMs() <= 0.0)
            continue;
        const double intensity = stage.operations / stage.globalBytes;
        const auto rate = [&](double ms) { return stage.operations / (1e-3 * ms); };
        from = std::min(from, intensity / kRoom);
        to = std::max(to, intensity * kRoom);
        least = std::min(least, rate(stage.middleMs()));
        m_predicted->addData(intensity, rate(stage.middleMs()) / kGiga);
        if (stage.measuredMs && *stage.measuredMs > 0.0) {
            least = std::min(least, rate(*stage.measuredMs));
            m_measured->addData(intensity, rate(*stage.measuredMs) / kGiga);
        }
        auto* name = new QCPItemText(&plot());
        name->setText(stage.label);
        name->position->setCoords(intensity, rate(stage.middleMs()) / kGiga);
        name->setPadding({4, 0, 4, 3});
        name->setSelectable(false);
        m_names.append(name);
    }
    // Names near the right edge end at their point, so that none is cut off. Neighbours' names are
    // above and below their points by turns.
    std::ranges::sort(m_names, {}, [](QCPItemText* name) { return name->position->key(); });
    const double right = from * std::pow(to / from, 0.72);
    bool isAbove = true;
    for (QCPItemText* name : m_names) {
        const bool isRight = name->position->key() > right;
        name->setPositionAlignment((isRight ? Qt::AlignRight : Qt::AlignLeft) |
                                   (isAbove ? Qt::AlignBottom : Qt::AlignTop));
        isAbove = !isAbove;
    }
    setRoof(*m_reached, roofs.bytes, roofs.operations, from, to);
    if (roofs.theoryBytes > 0.0 && roofs.theoryOperations > 0.0)
        setRoof(*m_theory, roofs.theoryBytes, roofs.theoryOperations, from, to);
    if (roofs.mixedBytes > 0.0 && roofs.mixedOperations > 0.0)
        setRoof(*m_mixed, roofs.mixedBytes, roofs.mixedOperations, from, to);
    setDecades(*plot().xAxis, from, to);
    setDecades(*plot().yAxis, least / kRoom / kGiga,
               kRoom * std::max(roofs.operations, roofs.theoryOperations) / kGiga);
    setSubtitle(pipeline.device);
    restyle();
    setHasData(true);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

} // namespace echolux
