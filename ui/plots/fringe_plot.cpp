// SPDX-License-Identifier: GPL-3.0-or-later
// Two curves, each with its own axis.
#include "ui/plots/fringe_plot.hpp"

#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

struct Curve {
    QVector<double> index, value;
    double least = 0.0;
    double most = 0.0;
};

/// A curve of values that are `step` raw samples apart.
Curve curveOf(const std::vector<float>& values, double step) {
    Curve curve;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = values[i];
        curve.index << static_cast<double>(i) * step;
        curve.value << value;
        if (!std::isfinite(value)) continue;
        curve.least = std::min(curve.least, value);
        curve.most = std::max(curve.most, value);
    }
    return curve;
}

/// Codes of a camera start at 0. Curves that swing about 0 get the same room on both sides.
void fitAxis(PlotTools& tools, QCPAxis* axis, StickyRange& range, const Curve& curve, bool still) {
    const double largest = std::max(-curve.least, curve.most);
    const double limit = still ? range.fit(largest) : range.update(largest);
    if (limit > 0.0) tools.fit(axis, curve.least < 0.0 ? -limit : 0.0, limit);
}

} // namespace

FringePlot::FringePlot(QWidget* parent)
    : HintPlot("Spectrum", "Click a column in the image", parent), m_raw(plot().addGraph()),
      m_remapped(plot().addGraph(plot().xAxis, plot().yAxis2)) {
    plot().yAxis2->grid()->setVisible(false);
    for (QCPAxis* axis : {plot().yAxis, plot().yAxis2}) axis->ticker()->setTickCount(4);
    plot().yAxis2->setLabel("remapped");
    restyle();
}

void FringePlot::restyle() {
    m_raw->setPen(QPen(plotColour(0), 1.0));
    m_remapped->setPen(QPen(withAlpha(plotColour(1), 0.9), 1.0));
    plot().yAxis->setLabelColor(plotColour(0));
    plot().yAxis2->setLabelColor(plotColour(1));
}

void FringePlot::clear() {
    m_rawRange.reset();
    m_remappedRange.reset();
    setHasData(false);
}

void FringePlot::setData(const FringeData& fringe) {
    setHasData(!fringe.raw.empty());
    if (fringe.raw.empty()) return;
    setSubtitle(fringe.title);
    const bool both = !fringe.remapped.empty();
    const auto samples = static_cast<double>(fringe.raw.size());
    const auto points = static_cast<double>(fringe.remapped.size());
    const Curve raw = curveOf(fringe.raw, 1.0);
    const Curve remapped = curveOf(fringe.remapped, both ? samples / points : 1.0);
    m_raw->setData(raw.index, raw.value, true);
    m_remapped->setData(remapped.index, remapped.value, true);
    plot().yAxis2->setVisible(both);
    plot().yAxis->setLabel(QString("raw (%1)").arg(fringe.unit));
    plot().xAxis->setLabel(both ? "sample, wavenumber index" : "sample");
    fitAxis(tools(), plot().yAxis, m_rawRange, raw, fringe.still);
    fitAxis(tools(), plot().yAxis2, m_remappedRange, remapped, fringe.still);
    tools().fit(plot().xAxis, 0.0, samples - 1.0);
    drawNow();
}

} // namespace echolux
