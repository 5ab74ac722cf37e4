// SPDX-License-Identifier: GPL-3.0-or-later
// Fields at the left, the figure at the right.
#include "app/tools/measurements/figure_dialog.hpp"

#include "app/paper/figure_file.hpp"
#include "ui/controls/failure_sentence.hpp"
#include "ui/controls/small_buttons.hpp"
#include "ui/dialogs/dialog_parts.hpp"
#include "ui/dialogs/preview_picture.hpp"
#include "ui/theme/theme.hpp"

#include <QClipboard>
#include <QDoubleSpinBox>
#include <QFontComboBox>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>

#include <algorithm>
#include <array>
#include <utility>

namespace echolux {
namespace {

constexpr double kMostSideMm = 2000.0;
constexpr double kPreviewDpi = 144.0;
constexpr int kDrawMs = 60; ///< typing does not draw each digit

ToggleSwitch* switchOf(bool on, const char* name, QWidget* parent) {
    auto* made = new ToggleSwitch(parent);
    made->setChecked(on);
    made->setAccessibleName(name);
    made->setObjectName(name);
    return made;
}

} // namespace

FigureDialog::FigureDialog(FigurePanel panel, FigureStyle style, QWidget* parent)
    : QDialog(parent), m_panel(std::move(panel)), m_style(std::move(style)),
      m_width(makeExactBox(10.0, kMostSideMm, m_style.widthMm, "mm", this)),
      m_mostHeight(makeExactBox(10.0, kMostSideMm, m_style.mostHeightMm, "mm", this)),
      m_dpi(makeExactBox(36.0, 4800.0, m_style.dpi, "dpi", this)),
      m_fontPt(makeExactBox(2.0, 72.0, m_style.fontPt, "pt", this)),
      m_font(new QFontComboBox(this)), m_colourBar(switchOf(m_style.colourBar, "Colour bar", this)),
      m_scaleBar(switchOf(m_style.look.scaleBar, "Scale bar", this)),
      m_names(switchOf(m_style.names, "Names of shapes", this)),
      m_dark(switchOf(m_style.dark, "Dark", this)), m_preview(new PreviewPicture(this)),
      m_note(makeNote(this)), m_copy(new QPushButton("Copy", this)),
      m_save(new QPushButton("Save\u2026", this)), m_soon(new QTimer(this)) {
    setWindowTitle("Figure");
    setAttribute(Qt::WA_DeleteOnClose);
    m_font->setEditable(false);
    if (m_style.font.empty()) m_style.font = "Helvetica";
    m_font->setCurrentFont(QFont(QString::fromStdString(m_style.font)));
    layOut();
    m_soon->setSingleShot(true);
    m_soon->setInterval(kDrawMs);
    connect(m_soon, &QTimer::timeout, this, &FigureDialog::draw);
    const auto soon = qOverload<>(&QTimer::start);
    for (QDoubleSpinBox* box : {m_width, m_mostHeight, m_dpi, m_fontPt})
        connect(box, &QDoubleSpinBox::valueChanged, m_soon, soon);
    for (ToggleSwitch* toggle : {m_colourBar, m_scaleBar, m_names, m_dark})
        connect(toggle, &ToggleSwitch::toggled, m_soon, soon);
    connect(m_font, &QFontComboBox::currentFontChanged, this, [this](const QFont& font) {
        m_style.font = font.family().toStdString();
        m_soon->start();
    });
    connect(m_copy, &QPushButton::clicked, this, &FigureDialog::copy);
    connect(m_save, &QPushButton::clicked, this, &FigureDialog::saveWanted);
    draw();
}

void FigureDialog::layOut() {
    m_mostHeight->setToolTip("A higher image becomes narrower");
    m_dpi->setToolTip("Of PNG and TIFF; PDF and SVG hold axes and text as vectors");
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid);
    addRow(grid, "Width", m_width);
    addRow(grid, "Image at most", m_mostHeight);
    addRow(grid, "Resolution", m_dpi);
    addRow(grid, "Font", m_font);
    addRow(grid, "Font size", m_fontPt);
    for (const auto& [label, toggle] :
         {std::pair{"Colour bar", m_colourBar}, std::pair{"Scale bar", m_scaleBar},
          std::pair{"Names of shapes", m_names}, std::pair{"Light on black", m_dark}})
        addRow(grid, label, toggle);
    grid->setRowStretch(grid->rowCount(), 1);
    m_font->setFixedWidth(22 * kGrid);
    auto* close = new QPushButton("Close", this);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kGrid);
    buttons->addStretch(1);
    for (QPushButton* button : {m_save, m_copy, close}) buttons->addWidget(button);
    m_save->setDefault(true);
    auto* upper = new QHBoxLayout;
    upper->setSpacing(3 * kGrid);
    upper->addLayout(grid);
    upper->addWidget(m_preview, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid + kGrid / 2);
    layout->addLayout(upper, 1);
    layout->addWidget(m_note);
    layout->addLayout(buttons);
}

FigureStyle FigureDialog::style() const {
    FigureStyle style = m_style;
    style.widthMm = m_width->value();
    style.mostHeightMm = m_mostHeight->value();
    style.dpi = m_dpi->value();
    style.fontPt = m_fontPt->value();
    style.colourBar = m_colourBar->isChecked();
    style.look.scaleBar = m_scaleBar->isChecked();
    style.names = m_names->isChecked();
    style.dark = m_dark->isChecked();
    return style;
}

void FigureDialog::draw() {
    FigureStyle drawn = style();
    bool possible = true;
    try {
        const QSizeF mm = sizeOfFigure({m_panel}, drawn) / kFigureUnitsPerMm;
        const QSizeF pixels = mm * drawn.dpi / 25.4;
        m_note->setText(QString("%1 x %2 mm; as a picture %3 x %4 pixels")
                            .arg(mm.width(), 0, 'f', 0)
                            .arg(mm.height(), 0, 'f', 0)
                            .arg(pixels.width(), 0, 'f', 0)
                            .arg(pixels.height(), 0, 'f', 0));
        drawn.dpi = std::min(kPreviewDpi, drawn.dpi);
        const QImage picture = figurePicture({m_panel}, drawn);
        m_preview->setImage(picture, mm.height() / mm.width());
    } catch (const std::exception& error) {
        m_note->setText(sentenceOf(error));
        m_preview->setImage({});
        possible = false;
    }
    for (QPushButton* button : {m_copy, m_save}) button->setEnabled(possible);
}

void FigureDialog::copy() {
    try {
        QGuiApplication::clipboard()->setImage(figurePicture({m_panel}, style()));
    } catch (const std::exception& error) {
        m_note->setText(sentenceOf(error));
    }
}

} // namespace echolux
