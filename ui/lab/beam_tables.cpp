// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/beam_tables.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/lab/beam_shape_plot.hpp"
#include "ui/lab/value_slider.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QGridLayout>
#include <QLabel>

namespace echolux {
namespace {

QString dash() { return QString(QChar(0x2013)); }

QString widthOf(const std::optional<double>& width, const QString& unit) {
    return width ? numberText(*width, 2) + ' ' + unit : dash();
}

QLabel* makeCell(QGridLayout& grid, int row, int column, const QString& help, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    label->setToolTip(help);
    grid.addWidget(label, row, column);
    return label;
}

QLabel* makeTitle(QGridLayout& grid, int column, const QString& text, const QString& help,
                  QWidget* parent) {
    QLabel* title = makeCell(grid, 0, column, help, parent);
    title->setText(text);
    setRole(title, LabelRole::Secondary);
    return title;
}

QGridLayout* makeGrid(QWidget* parent) {
    auto* grid = new QGridLayout(parent);
    grid->setContentsMargins(kGrid, 0, kGrid, 0);
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid / 4);
    grid->setColumnStretch(0, 1);
    return grid;
}

} // namespace

BeamTable::BeamTable(QWidget* parent) : QWidget(parent) {
    QGridLayout* grid = makeGrid(this);
    const QString widthHelp = "Width of the main lobe 6 dB below its peak";
    const QString lobeHelp = "The highest maximum outside the main lobe, relative to its peak";
    const QString measured = ", computed by the stage Beamform itself from the echoes of points";
    makeTitle(*grid, 1, "Width, \u22126 dB", widthHelp, this);
    makeTitle(*grid, 2, "Side lobe", lobeHelp, this);
    for (std::size_t i = 0; i < m_computed.size(); ++i) {
        const int row = 2 * static_cast<int>(i) + 1;
        auto* name = new QLabel(BeamShapePlot::kNames[i], this);
        if (i < 2) name->setStyleSheet(QString("color: %1").arg(BeamShapePlot::inkOf(i).name()));
        grid->addWidget(name, row, 0);
        m_computed[i] = {name, makeCell(*grid, row, 1, widthHelp, this),
                         makeCell(*grid, row, 2, lobeHelp, this)};
        m_measured[i] = {makeLabel("   measured", LabelRole::Secondary, this),
                         makeCell(*grid, row + 1, 1, widthHelp + measured, this),
                         makeCell(*grid, row + 1, 2, lobeHelp + measured, this)};
        grid->addWidget(m_measured[i].name, row + 1, 0);
    }
    setCurves({});
    setMeasured({});
    setMeasuredShown(false);
}

void BeamTable::fill(const BeamShapeCurves::Curve& curve, const Cells& cells) const {
    cells.width->setText(widthOf(curve.width, m_unit));
    cells.sideLobe->setText(curve.sideLobeDb ? numberText(*curve.sideLobeDb, 1) + " dB" : dash());
}

void BeamTable::setCurves(const BeamShapeCurves& curves) {
    m_unit = curves.unit;
    for (std::size_t i = 0; i < m_computed.size(); ++i) fill(curves.curves[i], m_computed[i]);
}

void BeamTable::setMeasured(const MeasuredCurves& curves) {
    for (std::size_t i = 0; i < m_measured.size(); ++i) fill(curves.curves[i], m_measured[i]);
}

void BeamTable::setMeasuredShown(bool shown) {
    for (std::size_t i = 1; i < m_measured.size(); ++i) {
        const Cells& cells = m_measured[i];
        for (QLabel* label : {cells.name, cells.width, cells.sideLobe}) label->setVisible(shown);
    }
    for (QLabel* label : {m_measured[0].name, m_measured[0].width, m_measured[0].sideLobe})
        label->hide(); // a beamformer computes no transmission by itself
}

QString BeamTable::widthText(int curve, bool measured) const {
    return (measured ? m_measured : m_computed)[static_cast<std::size_t>(curve)].width->text();
}

QString BeamTable::sideLobeText(int curve, bool measured) const {
    return (measured ? m_measured : m_computed)[static_cast<std::size_t>(curve)].sideLobe->text();
}

FociTable::FociTable(QWidget* parent) : QWidget(parent) {
    QGridLayout* grid = makeGrid(this);
    grid->setHorizontalSpacing(kGrid);
    const std::array<QString, 3> titles{"Width at focus", "at pixel", "Within 6 dB"};
    const std::array<QString, 3> helps{
        "Width of the transmitted beam at its focus, 6 dB below the peak",
        "Width of the transmitted beam at the depth of the selected pixel, 6 dB below the peak",
        "The depths on the beam's line between which the field is at most 6 dB below its maximum"};
    for (std::size_t column = 0; column < titles.size(); ++column)
        makeTitle(*grid, static_cast<int>(column), titles[column], helps[column], this);
    for (int column = 0; column < 3; ++column) grid->setColumnStretch(column, 1);
    for (std::size_t i = 0; i < kFoci; ++i) {
        const int row = 2 * static_cast<int>(i) + 1;
        m_sliders[i] = new ValueSlider(
            QString("Focus %1").arg(i + 1), QString("Depth of focus number %1").arg(i + 1),
            {1.0, 100.0, 0.5, 1, "mm"}, 10.0 * (1.0 + static_cast<double>(i)), this);
        grid->addWidget(m_sliders[i], row, 0, 1, 3);
        connect(m_sliders[i], &ValueSlider::valueChanged, this, &FociTable::fociChanged);
        for (std::size_t column = 0; column < helps.size(); ++column)
            m_cells[i][column] =
                makeCell(*grid, row + 1, static_cast<int>(column), helps[column], this);
    }
    setFigures({});
}

void FociTable::setFoci(const std::array<double, kFoci>& mm, double fromMm, double toMm) {
    for (std::size_t i = 0; i < kFoci; ++i) m_sliders[i]->setDefault(mm[i], fromMm, toMm);
}

std::array<double, FociTable::kFoci> FociTable::fociMm() const {
    std::array<double, kFoci> foci{};
    for (std::size_t i = 0; i < kFoci; ++i) foci[i] = m_sliders[i]->value();
    return foci;
}

void FociTable::setFigures(const std::array<FocusFigures, kFoci>& figures) {
    for (std::size_t i = 0; i < kFoci; ++i) {
        const FocusFigures& of = figures[i];
        m_cells[i][0]->setText(widthOf(of.widthAtFocus, of.unit));
        m_cells[i][1]->setText(widthOf(of.widthAtPixel, of.unit));
        m_cells[i][2]->setText(of.nearMm && of.farMm ? numberText(*of.nearMm, 1) + dash() +
                                                           numberText(*of.farMm, 1) + " mm"
                                                     : dash());
    }
}

QString FociTable::text(std::size_t focus, int column) const {
    return m_cells[focus][static_cast<std::size_t>(column)]->text();
}

} // namespace echolux
