// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_picture_plot.hpp"

#include "ui/plots/plot_painting.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace echolux {
namespace {

QCPColorGradient gradientOf(LabPicture::Kind kind) {
    QCPColorGradient gradient;
    gradient.setLevelCount(256);
    if (kind == LabPicture::Kind::Decibels) {
        gradient.setColorStops({{0.0, Qt::black}, {1.0, Qt::white}});
    } else { // negative pressure blue, positive orange, none black
        gradient.setColorStops({{0.0, QColor(150, 210, 255)},
                                {0.25, QColor(0, 114, 178)},
                                {0.5, Qt::black},
                                {0.75, QColor(213, 94, 0)},
                                {1.0, QColor(255, 220, 130)}});
    }
    return gradient;
}

} // namespace

LabPicturePlot::LabPicturePlot(const QString& title, const QString& hint, bool scale,
                               QWidget* parent)
    : HintPlot(title, hint, parent), m_map(new QCPColorMap(plot().xAxis, plot().yAxis)) {
    m_map->setInterpolate(true);
    m_map->setTightBoundary(true);
    if (scale) {
        m_colours = new QCPColorScale(&plot());
        m_colours->setBarWidth(kGrid);
        m_colours->setRangeDrag(false);
        m_colours->setRangeZoom(false);
        plot().plotLayout()->addElement(0, 1, m_colours);
        plot().plotLayout()->setColumnSpacing(0);
        auto* group = new QCPMarginGroup(&plot());
        for (QCPLayoutElement* element :
             std::initializer_list<QCPLayoutElement*>{plot().axisRect(), m_colours})
            element->setMarginGroup(QCP::msTop | QCP::msBottom, group);
    }
    connect(&plot(), &QCustomPlot::afterLayout, this, &LabPicturePlot::fitAxes);
    plot().yAxis->setRangeReversed(true);
    plot().setMinimumHeight((scale ? 22 : 14) * kGrid);
    new PlotPainting(plot(), [this](QCPPainter& painter) { paintLobe(painter); });
    new PlotPainting(plot(), [this](QCPPainter& painter) { paintMarks(painter); });
    for (QCPAxis* axis : {plot().xAxis, plot().yAxis}) axis->grid()->setVisible(false);
    restyle();
}

void LabPicturePlot::restyle() {
    plot().axisRect()->setBackground(QBrush(surroundTokens().surround));
    if (m_colours == nullptr) return;
    QCPAxis* axis = m_colours->axis();
    axis->setTickLabelFont(smallFont());
    axis->setLabelFont(smallFont());
    axis->setLabelColor(tokens().secondary);
    axis->setTickLabelColor(tokens().secondary);
    axis->setBasePen(QPen(tokens().line));
    axis->setTickPen(QPen(tokens().line));
    axis->setSubTickPen(QPen(Qt::NoPen));
    axis->ticker()->setTickCount(4);
}

void LabPicturePlot::setPicture(const LabPicture& picture) {
    m_picture = picture;
    setHasData(picture.columns > 0);
    if (picture.columns == 0) return;
    setSubtitle(picture.text);
    const bool decibels = picture.kind == LabPicture::Kind::Decibels;
    const QCPColorGradient gradient = gradientOf(picture.kind);
    const QCPRange range = decibels ? QCPRange(-picture.rangeDb, 0.0) : QCPRange(-1.0, 1.0);
    m_map->setName(decibels ? "level (dB)" : "pressure");
    m_map->setGradient(gradient);
    m_map->setDataRange(range);
    if (m_colours != nullptr) {
        m_colours->setLabel(m_map->name());
        m_colours->setGradient(gradient);
        m_colours->setDataRange(range);
    }
    fillMap();
    plot().xAxis->setLabel(picture.unit == QLatin1String("mm")
                               ? QString("lateral (mm)")
                               : QString("angle (%1)").arg(picture.unit));
    plot().yAxis->setLabel(picture.unit == QLatin1String("mm") ? "depth (mm)" : "range (mm)");
    fitAxes();
    plot().replot(QCustomPlot::rpQueuedReplot);
}

/// Shows everything. Waves are shown as wide as high, so that circles are round; what does not fit
/// beside the middle is cut off.
void LabPicturePlot::fitAxes() {
    if (m_picture.columns == 0 || !tools().isFitted()) return;
    double from = m_picture.from;
    double to = m_picture.to;
    const int height = plot().axisRect()->height();
    if (m_picture.kind == LabPicture::Kind::Waves && height > 0) {
        const double depth = m_picture.depthToMm - m_picture.depthFromMm;
        const double half =
            std::min(0.5 * (to - from), 0.5 * depth * plot().axisRect()->width() / height);
        const double middle = 0.5 * (from + to);
        from = middle - half;
        to = middle + half;
    }
    tools().fit(plot().xAxis, from, to);
    tools().fit(plot().yAxis, m_picture.depthFromMm, m_picture.depthToMm);
}

void LabPicturePlot::fillMap() {
    const int columns = m_picture.columns;
    auto* cells =
        new QCPColorMapData(columns, m_picture.rows, QCPRange(m_picture.from, m_picture.to),
                            QCPRange(m_picture.depthFromMm, m_picture.depthToMm));
    const float* value = m_picture.values.data();
    for (int row = 0; row < m_picture.rows; ++row)
        for (int column = 0; column < columns; ++column)
            cells->setCell(column, row, static_cast<double>(*value++));
    m_map->setData(cells);
}

QPointF LabPicturePlot::placeOf(const QPointF& at) const {
    const QCustomPlot& shown = const_cast<LabPicturePlot*>(this)->plot();
    return {shown.xAxis->coordToPixel(at.x()), shown.yAxis->coordToPixel(at.y())};
}

/// Draws the ends of the main lobe at each depth.
void LabPicturePlot::paintLobe(QCPPainter& painter) {
    constexpr double kMostJump = 0.08; // from row to row, as a part of the width
    painter.setPen(QPen(plotColour(0), 1.25));
    for (std::size_t i = 1; i < m_picture.lobes.size(); ++i) {
        const LabPicture::Lobe& a = m_picture.lobes[i - 1];
        const LabPicture::Lobe& b = m_picture.lobes[i];
        const double perRow = (m_picture.depthToMm - m_picture.depthFromMm) / (m_picture.rows - 1);
        if (b.depthMm - a.depthMm > 1.5 * perRow) continue; // rows between have no lobe
        const double jump = std::max(std::abs(b.from - a.from), std::abs(b.to - a.to));
        if (jump > kMostJump * (m_picture.to - m_picture.from)) continue; // another lobe
        painter.drawLine(QLineF(placeOf({a.from, a.depthMm}), placeOf({b.from, b.depthMm})));
        painter.drawLine(QLineF(placeOf({a.to, a.depthMm}), placeOf({b.to, b.depthMm})));
    }
}

/// Draws the focus as a ring, the pixel as a cross, and the elements that send as bars.
void LabPicturePlot::paintMarks(QCPPainter& painter) {
    constexpr double kHalf = 4.0;
    if (m_picture.focus) {
        painter.setPen(QPen(plotColour(1), 1.5));
        painter.drawEllipse(placeOf(*m_picture.focus), kHalf, kHalf);
    }
    if (m_picture.pixel) {
        painter.setPen(QPen(plotColour(1), 1.25));
        const QPointF at = placeOf(*m_picture.pixel);
        painter.drawLine(QLineF(at.x() - kHalf, at.y(), at.x() + kHalf, at.y()));
        painter.drawLine(QLineF(at.x(), at.y() - kHalf, at.x(), at.y() + kHalf));
    }
    for (const QPointF& sender : m_picture.senders) {
        const QPointF at = placeOf(sender);
        painter.fillRect(QRectF(at.x() - 1.5, at.y(), 3.0, kHalf), plotColour(1));
    }
}

} // namespace echolux
