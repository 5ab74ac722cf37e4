// SPDX-License-Identifier: GPL-3.0-or-later
// Curves and numbers of beam patterns.
#include "ui/lab/beam_shape_panel.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace echolux {
namespace {

constexpr std::array kBeamNames{"Transmit", "Receive", "Two-way"};
constexpr double kHalfAmplitudeDb = -6.0;

QColor beamInk(std::size_t curve) {
    return curve == 0 ? plotColour(1) : curve == 1 ? plotColour(0) : tokens().text;
}

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
    : HintPlot("Beam", "Point at a pixel of an image that is beamformed, or click it", parent),
      m_pixel(new QCPItemStraightLine(&plot())), m_half(new QCPItemStraightLine(&plot())) {
    for (std::size_t i = 0; i < m_graphs.size(); ++i) {
        m_graphs[i] = plot().addGraph();
        m_graphs[i]->setName(kBeamNames[i]);
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

void BeamShapePlot::restyle() {
    for (std::size_t i = 0; i < m_graphs.size(); ++i)
        m_graphs[i]->setPen(QPen(beamInk(i), i == 2 ? 1.75 : 1.25));
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

BeamShapePanel::BeamShapePanel(QWidget* parent) : QWidget(parent), m_plot(new BeamShapePlot) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, kGrid);
    layout->addWidget(m_plot, 1);
    auto* grid = new QGridLayout;
    grid->setContentsMargins(kGrid, 0, kGrid, 0);
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid / 4);
    grid->setColumnStretch(0, 1);
    const QString widthHelp = "Width of the main lobe 6 dB below its peak";
    const QString lobeHelp = "The highest maximum outside the main lobe, relative to its peak";
    const std::array<QString, 2> titles{"Width, \u22126 dB", "Side lobe"};
    for (int column = 0; column < 2; ++column) {
        QLabel* title = addNumber(*grid, 0, column + 1, column == 0 ? widthHelp : lobeHelp);
        title->setText(titles[static_cast<std::size_t>(column)]);
        setRole(title, LabelRole::Secondary);
    }
    for (std::size_t i = 0; i < kBeamNames.size(); ++i) {
        const int row = static_cast<int>(i) + 1;
        auto* name = new QLabel(kBeamNames[i], this);
        if (i < 2) name->setStyleSheet(QString("color: %1").arg(beamInk(i).name()));
        grid->addWidget(name, row, 0);
        m_widths[i] = addNumber(*grid, row, 1, widthHelp);
        m_sideLobes[i] = addNumber(*grid, row, 2, lobeHelp);
    }
    layout->addLayout(grid);
    QLabel* note =
        makeLabel("Computed at the centre frequency from the array's geometry, the apodization and "
                  "the transmits that are on; across the pixel, at its depth.",
                  LabelRole::Secondary, this);
    note->setWordWrap(true);
    note->setContentsMargins(kGrid, 0, kGrid, 0);
    layout->addWidget(note);
    setCurves({});
}

QLabel* BeamShapePanel::addNumber(QGridLayout& grid, int row, int column, const QString& help) {
    auto* label = new QLabel(this);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    label->setToolTip(help);
    grid.addWidget(label, row, column);
    return label;
}

void BeamShapePanel::setCurves(const BeamShapeCurves& curves) {
    m_plot->setCurves(curves);
    const QString none(QChar(0x2013));
    for (std::size_t i = 0; i < m_widths.size(); ++i) {
        const BeamShapeCurves::Curve& curve = curves.curves[i];
        m_widths[i]->setText(curve.width ? numberText(*curve.width, 2) + ' ' + curves.unit : none);
        m_sideLobes[i]->setText(curve.sideLobeDb ? numberText(*curve.sideLobeDb, 1) + " dB" : none);
    }
}

QString BeamShapePanel::widthText(int curve) const {
    return m_widths[static_cast<std::size_t>(curve)]->text();
}

QString BeamShapePanel::sideLobeText(int curve) const {
    return m_sideLobes[static_cast<std::size_t>(curve)]->text();
}

void BeamShapePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    emit cameIntoSight();
}

} // namespace echolux
