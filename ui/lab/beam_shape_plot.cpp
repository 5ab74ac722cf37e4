// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/beam_shape_plot.hpp"

#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

namespace echolux {
namespace {

constexpr double kHalfAmplitudeDb = -6.0;

/// The main lobe with some side lobes, within the range of the curves.
QCPRange shownPart(const BeamShapeCurves& curves) {
    constexpr double kWidths = 10.0;
    const QCPRange all(curves.across.front(), curves.across.back());
    const auto width = curves.curves[2].width ? curves.curves[2].width : curves.curves[1].width;
    if (!width) return all;
    return QCPRange(curves.pixelAt - kWidths * *width, curves.pixelAt + kWidths * *width)
        .bounded(all.lower, all.upper);
}

} // namespace

BeamShapePlot::BeamShapePlot(QWidget* parent)
    : HintPlot("Beam", kHint, parent), m_pixel(new QCPItemStraightLine(&plot())),
      m_half(new QCPItemStraightLine(&plot())) {
    for (std::size_t i = 0; i < m_graphs.size(); ++i) {
        m_graphs[i] = plot().addGraph();
        m_graphs[i]->setName(kNames[i]);
        m_measured[i] = plot().addGraph();
        m_measured[i]->setName(QString("%1, measured").arg(kNames[i]));
    }
    for (QCPItemStraightLine* line : {m_pixel, m_half}) line->setLayer("grid");
    m_half->point1->setCoords(0.0, kHalfAmplitudeDb);
    m_half->point2->setCoords(1.0, kHalfAmplitudeDb);
    plot().axisRect()->setRangeZoom(Qt::Horizontal);
    plot().axisRect()->setRangeDrag(Qt::Horizontal);
    plot().yAxis->setLabel("level (dB)");
    plot().setMinimumHeight(22 * kGrid);
    tools().fit(plot().yAxis, kFloorDb + 20.0, 3.0);
    restyle();
}

QColor BeamShapePlot::inkOf(std::size_t curve) {
    return curve == 0 ? plotColour(1) : curve == 1 ? plotColour(0) : tokens().text;
}

void BeamShapePlot::restyle() {
    for (std::size_t i = 0; i < m_graphs.size(); ++i) {
        m_graphs[i]->setPen(QPen(inkOf(i), i == 2 ? 1.75 : 1.25));
        m_measured[i]->setPen(QPen(inkOf(i), i == 2 ? 1.75 : 1.25, Qt::DashLine));
    }
    m_pixel->setPen(QPen(withAlpha(tokens().secondary, 0.8), 1.0, Qt::DashLine));
    m_half->setPen(QPen(withAlpha(tokens().secondary, 0.5), 1.0, Qt::DotLine));
}

void BeamShapePlot::setCurves(const BeamShapeCurves& curves) {
    setHasData(!curves.across.isEmpty());
    if (curves.across.isEmpty()) return;
    setSubtitle(curves.text);
    for (std::size_t i = 0; i < m_graphs.size(); ++i)
        m_graphs[i]->setData(curves.across, curves.curves[i].levelsDb, true);
    m_pixel->point1->setCoords(curves.pixelAt, 0.0);
    m_pixel->point2->setCoords(curves.pixelAt, 1.0);
    plot().xAxis->setLabel(curves.unit == QLatin1String("mm")
                               ? QString("lateral (mm)")
                               : QString("angle (%1)").arg(curves.unit));
    const QCPRange part = shownPart(curves);
    tools().fit(plot().xAxis, part.lower, part.upper);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void BeamShapePlot::setMeasured(const MeasuredCurves& curves) {
    for (std::size_t i = 0; i < m_measured.size(); ++i) {
        const QVector<double>& levels = curves.curves[i].levelsDb;
        m_measured[i]->setData(levels.isEmpty() ? QVector<double>() : curves.across, levels, true);
    }
    plot().replot(QCustomPlot::rpQueuedReplot);
}

} // namespace echolux
