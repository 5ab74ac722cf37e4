// SPDX-License-Identifier: GPL-3.0-or-later
// Curves and maps over elements.
#include "ui/aberration/element_plot.hpp"

#include "render/view/colour_map.hpp"
#include "ui/plots/index_ticker.hpp"
#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <QComboBox>
#include <QHBoxLayout>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr int kStops = 32;

QCPColorGradient gradientOf(ElementPlot::Scale scale) {
    QCPColorGradient gradient;
    QMap<double, QColor> stops;
    if (scale == ElementPlot::Scale::Portion) {
        const ColourMap& map = colourMap("viridis");
        for (int i = 0; i <= kStops; ++i) {
            const double t = static_cast<double>(i) / kStops;
            stops[t] = QColor::fromRgb(
                map.colour[static_cast<std::size_t>(std::lround(t * (ColourMap::kEntries - 1)))]);
        }
    } else { // blue: earlier or weaker; orange: later or stronger; dark in the middle
        stops = {{0.0, QColor(150, 210, 255)},
                 {0.25, QColor(0, 114, 178)},
                 {0.5, QColor(24, 26, 30)},
                 {0.75, QColor(213, 94, 0)},
                 {1.0, QColor(255, 220, 130)}};
    }
    gradient.setColorStops(stops);
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    return gradient;
}

bool fits(const ElementValues& a, const ElementValues& b) {
    return a.rows == b.rows && a.columns == b.columns && a.values.size() == b.values.size();
}

} // namespace

ElementPlot::ElementPlot(const QString& title, const QString& unit, Scale scale, QWidget* parent)
    : HintPlot(title, "Nothing has been estimated yet", parent), m_unit(unit), m_scaleKind(scale),
      m_shown(new QComboBox(this)), m_curve(nullptr), m_truthCurve(nullptr), m_map(nullptr),
      m_colours(nullptr) {
    m_truthCurve = plot().addGraph();
    m_truthCurve->setName("truth");
    m_curve = plot().addGraph();
    m_curve->setName(unit.isEmpty() ? title.toLower() : QString("estimate (%1)").arg(unit));
    m_map = new QCPColorMap(plot().xAxis, plot().yAxis);
    m_map->setInterpolate(false);
    m_map->setTightBoundary(false);
    m_colours = new QCPColorScale(&plot());
    m_colours->setBarWidth(kGrid);
    m_colours->setLabel(unit);
    m_colours->setRangeDrag(false);
    m_colours->setRangeZoom(false);
    m_map->setGradient(gradientOf(scale));
    m_colours->setGradient(gradientOf(scale));
    m_shown->addItems({"Estimate", "Truth", "Difference"});
    m_shown->setToolTip("What the map shows. For recordings that hold the true screen");
    m_shown->hide();
    head()->addWidget(m_shown);
    connect(m_shown, &QComboBox::activated, this, &ElementPlot::show);
    putLegendAbove(plot());
    plot().plotLayout()->setColumnSpacing(0);
    plot().setMinimumHeight(13 * kGrid);
    plot().xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new IndexTicker));
    restyle();
}

void ElementPlot::restyle() {
    m_curve->setPen(QPen(plotColour(0), 1.5));
    m_truthCurve->setPen(QPen(withAlpha(plotColour(1), 0.9), 1.25, Qt::DashLine));
    m_colours->axis()->setTickLabelFont(smallFont());
    m_colours->axis()->setLabelFont(smallFont());
    m_colours->axis()->setLabelColor(tokens().secondary);
    m_colours->axis()->setTickLabelColor(tokens().secondary);
    for (QCPAxis* axis : {m_colours->axis()}) {
        axis->setBasePen(QPen(tokens().line));
        axis->setTickPen(QPen(tokens().line));
        axis->setSubTickPen(QPen(Qt::NoPen));
        axis->ticker()->setTickCount(4);
    }
}

void ElementPlot::clear() {
    m_values = {};
    m_truth.reset();
    m_range.reset();
    m_curve->data()->clear();
    m_truthCurve->data()->clear();
    m_shown->hide();
    setHasData(false);
}

void ElementPlot::setValues(const ElementValues& values, const std::optional<ElementValues>& truth,
                            const QString& text) {
    if (values.empty()) return clear();
    if (values.rows != m_values.rows || values.columns != m_values.columns) m_range.reset();
    m_values = values;
    m_truth = truth && fits(*truth, values) ? truth : std::nullopt;
    setHasData(true);
    setSubtitle(text);
    show();
}

double ElementPlot::largest() const {
    double most = 0.0;
    const auto take = [&](const ElementValues& of) {
        for (const double value : of.values)
            if (std::isfinite(value)) most = std::max(most, std::abs(value));
    };
    take(m_values);
    if (m_truth) take(*m_truth);
    return most;
}

void ElementPlot::show() {
    if (m_values.empty()) return;
    m_limit = m_scaleKind == Scale::Portion ? 1.0 : std::max(m_range.update(largest()), 1e-3);
    const bool map = !m_values.isLine();
    m_shown->setVisible(map && m_truth.has_value());
    if (map != (m_colours->layout() != nullptr)) {
        if (map) {
            plot().plotLayout()->addElement(1, 1, m_colours);
        } else {
            plot().plotLayout()->take(m_colours);
            plot().plotLayout()->simplify();
        }
    }
    m_colours->setVisible(map);
    m_map->setVisible(map);
    m_curve->setVisible(!map);
    m_truthCurve->setVisible(!map);
    for (QCPGraph* curve : {m_truthCurve, m_curve})
        hasLegend() ? curve->addToLegend() : curve->removeFromLegend();
    map ? showMap() : showCurves();
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void ElementPlot::showCurves() {
    const auto toGraph = [](QCPGraph& graph, const ElementValues& of) {
        QVector<double> element, value;
        for (int i = 0; i < of.columns; ++i) {
            element << i + 1;
            value << of.values[static_cast<std::size_t>(i)];
        }
        graph.setData(element, value, true);
    };
    toGraph(*m_curve, m_values);
    m_truth ? toGraph(*m_truthCurve, *m_truth) : m_truthCurve->data()->clear();
    plot().yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    plot().yAxis->ticker()->setTickCount(4);
    plot().xAxis->setLabel("element");
    plot().yAxis->setLabel(m_unit);
    plot().xAxis->grid()->setVisible(true);
    plot().axisRect()->setBackground(Qt::NoBrush);
    plot().yAxis->setRangeReversed(false);
    tools().fit(plot().xAxis, 0.5, m_values.columns + 0.5);
    const double low = m_scaleKind == Scale::Portion ? 0.0 : -m_limit;
    tools().fit(plot().yAxis, low, m_limit);
}

void ElementPlot::showMap() {
    const auto shown = m_truth ? static_cast<Shown>(m_shown->currentIndex()) : Shown::Found;
    m_map->data()->setSize(m_values.columns, m_values.rows);
    m_map->data()->setRange(QCPRange(1, m_values.columns), QCPRange(1, m_values.rows));
    for (int row = 0; row < m_values.rows; ++row) {
        for (int column = 0; column < m_values.columns; ++column) {
            const auto at =
                static_cast<std::size_t>(row) * static_cast<std::size_t>(m_values.columns) +
                static_cast<std::size_t>(column);
            const double truth = m_truth ? m_truth->values[at] : 0.0;
            const double value = m_values.values[at];
            m_map->data()->setCell(column, row,
                                   shown == Shown::Found   ? value
                                   : shown == Shown::Truth ? truth
                                                           : value - truth);
        }
    }
    const QCPRange range(m_scaleKind == Scale::Portion ? 0.0 : -m_limit, m_limit);
    m_map->setDataRange(range);
    m_colours->setDataRange(range);
    plot().yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new IndexTicker));
    plot().xAxis->setLabel("column");
    plot().yAxis->setLabel("row");
    plot().yAxis->setRangeReversed(true);
    plot().xAxis->grid()->setVisible(false);
    plot().axisRect()->setBackground(QBrush(surroundTokens().surround));
    tools().fit(plot().xAxis, 0.5, m_values.columns + 0.5);
    tools().fit(plot().yAxis, 0.5, m_values.rows + 0.5);
}

} // namespace echolux
