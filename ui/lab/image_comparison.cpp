// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/image_comparison.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/lab/lab_picture_plot.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace echolux {

ImageComparison::ImageComparison(QWidget* parent)
    : QWidget(parent), m_compare(new QPushButton("Compare", this)),
      m_text(makeLabel({}, LabelRole::Secondary, this)), m_grid(new QGridLayout),
      m_names(new QButtonGroup(this)),
      m_plot(new LabPicturePlot("Difference", "Choose an interpolator in the table", true, this)) {
    m_compare->setToolTip("Images the shown frame with the pipeline in force and each "
                          "interpolation of Beamform in turn");
    m_text->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, kGrid / 2, 0, 0);
    layout->setSpacing(kGrid / 2);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(kGrid, 0, kGrid, 0);
    row->setSpacing(kGrid);
    row->addWidget(m_compare);
    row->addWidget(m_text, 1);
    layout->addLayout(row);
    m_grid->setContentsMargins(kGrid, 0, kGrid, 0);
    m_grid->setHorizontalSpacing(2 * kGrid);
    m_grid->setVerticalSpacing(0);
    m_grid->setColumnStretch(0, 1);
    layout->addLayout(m_grid);
    layout->addWidget(m_plot, 1);
    m_names->setExclusive(true);
    connect(m_compare, &QPushButton::clicked, this, &ImageComparison::comparisonWanted);
    connect(m_names, &QButtonGroup::idClicked, this, &ImageComparison::choose);
    showText();
}

void ImageComparison::setImages(const std::vector<ComparedImage>& images, const QString& text) {
    m_images = images;
    m_of = text;
    m_stale = false;
    makeRows();
    showText();
    showChosen();
}

void ImageComparison::makeRows() {
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (m_images.empty()) return;
    const auto add = [this](const QString& text, int row, int column, const QString& help) {
        QLabel* label = makeLabel(text, row == 0 ? LabelRole::Secondary : LabelRole::Normal, this);
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        label->setToolTip(help);
        m_grid->addWidget(label, row, column);
    };
    const QString differenceHelp = "RMS of the difference from the best one's amplitudes, relative "
                                   "to their RMS";
    const QString timeHelp = "Least time of the stage Beamform in some runs";
    add("difference", 0, 1, differenceHelp);
    add("time", 0, 2, timeHelp);
    for (std::size_t i = 0; i < m_images.size(); ++i) {
        const ComparedImage& image = m_images[i];
        const int row = static_cast<int>(i) + 1;
        auto* name = new QToolButton(this);
        name->setText(image.name + (image.inUse ? " (in use)" : ""));
        name->setCheckable(true);
        name->setAutoRaise(true);
        name->setToolTip("Shows the picture of the difference");
        name->setChecked(image.name == m_chosen);
        m_names->addButton(name, static_cast<int>(i));
        m_grid->addWidget(name, row, 0, Qt::AlignLeft);
        add(image.best ? QString("best") : numberText(image.differenceDb, 1) + " dB", row, 1,
            differenceHelp);
        add(numberText(image.ms, image.ms < 1.0 ? 3 : 1) + " ms", row, 2, timeHelp);
    }
}

void ImageComparison::choose(int row) {
    m_chosen = m_images[static_cast<std::size_t>(row)].name;
    m_names->button(row)->setChecked(true);
    showChosen();
}

void ImageComparison::showChosen() {
    const auto at = std::ranges::find(m_images, m_chosen, &ComparedImage::name);
    m_plot->setPicture(at != m_images.end() && !at->best ? at->difference : LabPicture{});
}

void ImageComparison::setBusy(bool busy) {
    m_busy = busy;
    m_compare->setEnabled(!busy);
    showText();
}

void ImageComparison::setProblem(const QString& sentence) {
    m_problem = sentence;
    showText();
}

void ImageComparison::setStale(bool stale) {
    m_stale = stale && !m_images.empty();
    showText();
}

void ImageComparison::showText() {
    setRole(m_text, m_problem.isEmpty() || m_busy ? LabelRole::Secondary : LabelRole::Warning);
    m_text->setText(m_busy                 ? QString("Computing\u2026")
                    : !m_problem.isEmpty() ? m_problem
                    : m_images.empty()     ? QString("Interpolators on the shown frame")
                    : m_stale              ? m_of + ". The image is another one now."
                                           : m_of);
}

QString ImageComparison::text() const { return m_text->text(); }

} // namespace echolux
