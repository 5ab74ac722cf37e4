// SPDX-License-Identifier: GPL-3.0-or-later
// Curves, axes and legend of lines from several views.
#include "ui/plots/view_lines_plot.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {

ViewLinesPlot::ViewLinesPlot(QWidget* parent)
    : HintPlot("Views", "Click a column in a view", parent), m_legend(new QCPLegend) {
    for (QCPGraph*& curve : m_curves) {
        curve = plot().addGraph();
        curve->removeFromLegend();
        curve->setVisible(false);
    }
    plot().plotLayout()->insertRow(0);
    plot().plotLayout()->addElement(0, 0, m_legend);
    plot().plotLayout()->setRowStretchFactor(0, 1e-3);
    m_legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    m_legend->setMargins({kGrid, 0, kGrid, 0});
    m_legend->setRowSpacing(0);
    m_legend->setIconSize(2 * kGrid, kGrid);
    plot().axisRect()->setRangeZoom(Qt::Horizontal); // peaks stay visible
    plot().axisRect()->setRangeDrag(Qt::Horizontal);
    plot().yAxis2->grid()->setVisible(false);
    plot().setMinimumHeight(18 * kGrid); // with the legend
    for (QCPAxis* axis : {plot().yAxis, plot().yAxis2}) axis->ticker()->setTickCount(4);
    restyle();
}

void ViewLinesPlot::restyle() {
    const std::size_t shown = std::min(m_data.curves.size(), m_curves.size());
    for (std::size_t i = 0; i < shown; ++i)
        m_curves[i]->setPen(QPen(plotColour(m_data.curves[i].view), 1.25));
    m_legend->setBrush(Qt::NoBrush);
    m_legend->setBorderPen(Qt::NoPen);
    m_legend->setTextColor(tokens().text);
    m_legend->setFont(smallFont());
}

void ViewLinesPlot::clear() {
    m_data = {};
    m_leftRange.reset();
    m_rightRange.reset();
    for (QCPGraph* curve : m_curves) curve->setVisible(false);
    m_legend->clearItems();
    setHasData(false);
}

ViewLinesPlot::Scale ViewLinesPlot::scaleOf(const ViewLinesData::Curve& curve) {
    return {curve.unit, curve.unit.isEmpty() ? curve.meantTo : std::nullopt};
}

QStringList ViewLinesPlot::legendTexts() const {
    const auto& curves = m_data.curves;
    const auto further = std::ranges::find_if(
        curves, [&](const auto& curve) { return scaleOf(curve) != scaleOf(curves.front()); });
    QStringList texts;
    for (const ViewLinesData::Curve& curve : curves) {
        const bool left = scaleOf(curve) == scaleOf(curves.front());
        const bool right = !left && scaleOf(curve) == scaleOf(*further);
        texts << (left    ? curve.name
                  : right ? curve.name + QStringLiteral(" (right axis)")
                          : curve.name + QStringLiteral(" (another unit, not drawn)"));
    }
    return texts;
}

void ViewLinesPlot::setData(const ViewLinesData& lines) {
    if (lines.curves.empty()) return clear();
    const auto namesOf = [](const ViewLinesData& of) {
        QStringList names;
        for (const auto& curve : of.curves) names << curve.name << curve.unit;
        return names;
    };
    if (namesOf(lines) != namesOf(m_data)) {
        m_leftRange.reset();
        m_rightRange.reset();
    }
    m_data = lines;
    if (m_data.curves.size() > m_curves.size()) m_data.curves.resize(m_curves.size());
    setHasData(true);
    setSubtitle(m_data.title);

    const auto& curves = m_data.curves;
    const Scale left = scaleOf(curves.front());
    const auto other =
        std::ranges::find_if(curves, [&](const auto& curve) { return scaleOf(curve) != left; });
    const std::optional<Scale> right =
        other == curves.end() ? std::nullopt : std::optional(scaleOf(*other));
    const QStringList texts = legendTexts();
    m_legend->clearItems();
    double from = HUGE_VAL, to = -HUGE_VAL;
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        QCPGraph& graph = *m_curves[i];
        graph.setVisible(i < curves.size() &&
                         (scaleOf(curves[i]) == left || (right && scaleOf(curves[i]) == *right)));
        if (i >= curves.size()) continue;
        const ViewLinesData::Curve& curve = curves[i];
        const auto count = static_cast<qsizetype>(curve.values.size());
        QVector<double> along(count), value(count);
        for (qsizetype n = 0; n < count; ++n) {
            along[n] = curve.start + static_cast<double>(n) * curve.step;
            value[n] = curve.values[static_cast<std::size_t>(n)];
        }
        graph.setName(texts[static_cast<qsizetype>(i)]);
        graph.setValueAxis(scaleOf(curve) == left ? plot().yAxis : plot().yAxis2);
        graph.setData(along, value, true);
        if (count > 0) {
            from = std::min(from, along.front());
            to = std::max(to, along.back());
        }
        m_legend->addItem(new QCPPlottableLegendItem(m_legend, &graph));
    }
    restyle();
    plot().yAxis2->setVisible(right.has_value());
    plot().yAxis2->setTickLabels(right.has_value());
    fitAxis(*plot().yAxis, m_leftRange, left);
    if (right) fitAxis(*plot().yAxis2, m_rightRange, *right);
    if (from < to) tools().fit(plot().xAxis, from, to);
    plot().xAxis->setLabel(m_data.alongUnit.isEmpty()
                               ? m_data.alongName
                               : QString("%1 (%2)").arg(m_data.alongName, m_data.alongUnit));
    wrapLegend();
    drawNow();
}

/// The ranges that the curves are meant for, or the ranges of their values, from zero where no
/// value is below.
void ViewLinesPlot::fitAxis(QCPAxis& axis, StickyRange& range, const Scale& scale) {
    constexpr double kMargin = 0.05;
    double lowest = 0.0, highest = 0.0, magnitude = 0.0;
    bool meant = true;
    bool negative = false;
    bool first = true;
    for (const ViewLinesData::Curve& curve : m_data.curves) {
        if (scaleOf(curve) != scale) continue;
        meant = meant && curve.meantTo.has_value();
        if (curve.meantTo) {
            lowest = first ? curve.meantTo->first : std::min(lowest, curve.meantTo->first);
            highest = first ? curve.meantTo->second : std::max(highest, curve.meantTo->second);
            first = false;
        }
        for (const float value : curve.values) {
            if (!std::isfinite(value)) continue;
            negative = negative || value < 0.0F;
            magnitude = std::max(magnitude, std::abs(static_cast<double>(value)));
        }
    }
    if (meant) {
        const double margin = kMargin * (highest - lowest);
        axis.setLabel(scale.unit.isEmpty()
                          ? QString("value, %1 to %2")
                                .arg(significantText(lowest, 4), significantText(highest, 4))
                          : QString("level (%1)").arg(scale.unit));
        tools().fit(&axis, lowest - margin, highest + margin);
        return;
    }
    axis.setLabel(scale.unit.isEmpty() ? QString("amplitude")
                                       : QString("level (%1)").arg(scale.unit));
    const double limit = m_data.still ? range.fit(magnitude) : range.update(magnitude);
    if (limit > 0.0) tools().fit(&axis, negative ? -limit : 0.0, limit);
}

/// As many names side by side as fit into the width.
void ViewLinesPlot::wrapLegend() {
    constexpr int kBetween = kGrid;
    const QFontMetrics metrics(smallFont());
    int widest = 1;
    for (const QString& text : legendTexts())
        widest = std::max(widest, metrics.horizontalAdvance(text));
    const int each = widest + m_legend->iconSize().width() + m_legend->iconTextPadding() + kBetween;
    m_legend->setWrap(std::max(1, (plot().width() - 2 * kGrid) / each));
    m_legend->setFillOrder(QCPLayoutGrid::foColumnsFirst); // in this number of columns
}

void ViewLinesPlot::resizeEvent(QResizeEvent* event) {
    HintPlot::resizeEvent(event);
    if (hasData()) wrapLegend();
}

} // namespace echolux
