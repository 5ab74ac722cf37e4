// SPDX-License-Identifier: GPL-3.0-or-later
// Layout and states of the search dialog.
#include "ui/dialogs/dispersion_dialog.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/controls/small_buttons.hpp"
#include "ui/dialogs/dialog_parts.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace echolux {
namespace {

constexpr int kMostFrames = 32;
constexpr double kShownSpread = 0.05; ///< part of the trials, the worst, that may lie outside

QWidget* span(QWidget* from, QWidget* to, QWidget* parent) {
    auto* box = new QWidget(parent);
    auto* line = new QHBoxLayout(box);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(kGrid);
    line->addWidget(from);
    line->addWidget(makeLabel("to", LabelRole::Secondary, box));
    line->addWidget(to);
    return box;
}

} // namespace

DispersionDialog::DispersionDialog(const QStringList& metrics, QWidget* parent)
    : QDialog(parent), m_depthFrom(makeRealBox(0, 1, 0, 0, "", this)),
      m_depthTo(makeRealBox(0, 1, 1, 0, "", this)), m_lineFrom(makeCountBox(0, 1, 0, "", this)),
      m_lineTo(makeCountBox(1, 1, 1, "", this)), m_frames(makeCountBox(1, 1, 1, "", this)),
      m_metric(new ComboBox(this)), m_quartic(new ToggleSwitch(this)),
      m_fromView(new QPushButton("Visible part", this)),
      m_fromWindow(new QPushButton("Depth window", this)),
      m_fromDrawing(new QPushButton("Drawn region", this)),
      m_whole(new QPushButton("Whole image", this)), m_find(new QPushButton("Find", this)),
      m_undo(new QPushButton("Undo", this)), m_close(new QPushButton("Close", this)),
      m_plot(makeDialogPlot("trial", "sharpness", this)), m_trials(m_plot->addGraph()),
      m_best(m_plot->addGraph()), m_neutral(m_plot->addGraph()),
      m_neutralName(new QCPItemText(m_plot)), m_progress(new QProgressBar(this)),
      m_note(makeNote(this)) {
    setWindowTitle("Find dispersion");
    setModal(false);
    for (const QString& metric : metrics) {
        QString text = metric;
        text[0] = text[0].toUpper();
        m_metric->addItem(text.replace('_', ' '), metric);
    }
    m_metric->setFixedWidth(2 * kNumberWidth);
    m_quartic->setToolTip("Search the quartic term c3, too. This takes longer and needs points or "
                          "sharp layers: in tissue the terms can compensate each other");
    m_frames->setToolTip("Number of frames, spread over the recording. More frames give a more "
                         "exact result and take longer");
    m_fromView->setToolTip("Search in the part of the image that is visible");
    m_fromWindow->setToolTip(
        "Search in the visible lines, between the depths that the en face view is made of");
    m_fromDrawing->setToolTip("Search in the rectangle around the region on the image: from its "
                              "least to its greatest depth and from its first to its last line");
    m_fromDrawing->hide();
    m_whole->setToolTip("Search in all lines and depths");
    m_undo->setToolTip("Set the terms that were there before the search");
    m_neutralName->setText("without dispersion");
    m_neutralName->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    m_neutralName->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    m_neutralName->position->setTypeY(QCPItemPosition::ptPlotCoords);
    m_neutralName->setVisible(false);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(kGrid / 2);
    m_find->setDefault(true);
    m_undo->setEnabled(false);
    layOut();

    connect(m_find, &QPushButton::clicked, this,
            [this] { m_busy ? emit cancelRequested() : emit startRequested(); });
    connect(m_fromView, &QPushButton::clicked, this, &DispersionDialog::regionFromViewRequested);
    connect(m_fromWindow, &QPushButton::clicked, this,
            &DispersionDialog::regionFromWindowRequested);
    connect(m_fromDrawing, &QPushButton::clicked, this,
            &DispersionDialog::regionFromDrawingRequested);
    connect(m_whole, &QPushButton::clicked, this, [this] { setRegion(m_largest); });
    connect(m_undo, &QPushButton::clicked, this, &DispersionDialog::undoRequested);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    // Closing the dialog cancels the search.
    connect(this, &QDialog::finished, this, [this] {
        if (m_busy) emit cancelRequested();
    });
    connect(&Theme::instance(), &Theme::changed, this, &DispersionDialog::restyle);
    restyle();
}

void DispersionDialog::layOut() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid + kGrid / 2);
    auto* rows = new QWidget(this);
    auto* grid = new QGridLayout(rows);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid / 2);
    addRow(grid, "Depth", span(m_depthFrom, m_depthTo, rows));
    addRow(grid, "Lines", span(m_lineFrom, m_lineTo, rows));
    auto* region = new QHBoxLayout;
    region->setSpacing(kGrid);
    region->addWidget(m_fromView);
    region->addWidget(m_fromWindow);
    region->addWidget(m_fromDrawing);
    region->addWidget(m_whole);
    region->addStretch(1);
    grid->addLayout(region, grid->rowCount(), 1);
    addRow(grid, "Sharpness", m_metric);
    addRow(grid, "Frames", m_frames);
    addRow(grid, "Quartic term", m_quartic);
    grid->setColumnStretch(1, 1);
    layout->addWidget(rows);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_progress);
    layout->addWidget(m_note);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kGrid);
    buttons->addWidget(m_undo);
    buttons->addStretch(1);
    buttons->addWidget(m_find);
    buttons->addWidget(m_close);
    layout->addLayout(buttons);
}

void DispersionDialog::restyle() {
    m_trials->setLineStyle(QCPGraph::lsNone);
    m_trials->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, tokens().edge, 3));
    m_best->setPen(QPen(plotColour(0), 1.5));
    m_neutral->setPen(QPen(tokens().edge, 1.0, Qt::DashLine));
    m_neutralName->setColor(tokens().secondary);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void DispersionDialog::setLimits(double depthMax, double depthSkipped, const QString& unit,
                                 int lines, int bscans, int frames) {
    for (QDoubleSpinBox* box : {m_depthFrom, m_depthTo}) {
        box->setSuffix(unit.isEmpty() ? QString() : ' ' + unit);
        box->setRange(0.0, std::floor(depthMax));
    }
    m_lineFrom->setRange(1, lines);
    m_lineTo->setRange(1, lines);
    m_frames->setRange(1, std::clamp(frames, 1, kMostFrames));
    m_largest = {std::ceil(depthSkipped), std::floor(depthMax), 0, lines};
    setRegion(m_largest);
    QString note = "The search changes c1 and c2 of the dispersion stage so that the region "
                   "becomes as sharp as possible. Choose a region that shows the sample.";
    if (bscans > 1)
        note += QString(" A frame holds %1 B-scans; the search uses the one that is shown.")
                    .arg(bscans);
    setNote(note);
}

void DispersionDialog::setHasDepthWindow(bool has) { m_fromWindow->setVisible(has); }

void DispersionDialog::setHasDrawnRegion(bool has) { m_fromDrawing->setVisible(has); }

void DispersionDialog::setRegion(const Region& region) {
    m_depthFrom->setValue(region.depthFrom);
    m_depthTo->setValue(region.depthTo);
    m_lineFrom->setValue(region.lineFrom + 1);
    m_lineTo->setValue(region.lineTo);
}

DispersionDialog::Choice DispersionDialog::choice() const {
    return {{m_depthFrom->value(), m_depthTo->value(), m_lineFrom->value() - 1, m_lineTo->value()},
            m_metric->currentData().toString(),
            m_quartic->isChecked(),
            m_frames->value()};
}

void DispersionDialog::begin() {
    m_busy = true;
    m_trials->data()->clear();
    m_best->data()->clear();
    m_neutral->data()->clear();
    m_neutralName->setVisible(false);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    m_progress->setValue(0);
    m_find->setText("Cancel");
    setNote("Looking \u2026");
}

void DispersionDialog::addTrials(const QVector<double>& numbers, const QVector<double>& sharpness,
                                 const QVector<double>& best, double progress) {
    m_trials->addData(numbers, sharpness, true);
    m_best->addData(numbers, best, true);
    if (m_neutral->data()->isEmpty() && !sharpness.isEmpty()) showNeutral(sharpness.first());
    m_progress->setValue(static_cast<int>(1000.0 * progress));
    rescale();
}

/// Shows the sharpness of the first trial, which is without dispersion.
void DispersionDialog::showNeutral(double sharpness) {
    m_neutral->setData({0.0, 1e6}, {sharpness, sharpness}, true);
    m_neutralName->position->setCoords(0.98, sharpness);
    m_neutralName->setVisible(true);
}

/// The range from the sharpness of most trials to the best. Bad trials would compress the
/// interesting part.
void DispersionDialog::rescale() {
    std::vector<double> values;
    for (const QCPGraphData& each : *m_trials->data()) values.push_back(each.value);
    if (values.empty()) return;
    const auto low =
        values.begin() + static_cast<std::ptrdiff_t>(kShownSpread * double(values.size() - 1));
    std::nth_element(values.begin(), low, values.end());
    const double neutral =
        m_neutral->data()->isEmpty() ? *low : m_neutral->data()->constBegin()->value;
    const double least = std::min(*low, neutral);
    const double most = std::max(*std::ranges::max_element(values), least + 1e-9);
    const double room = 0.06 * (most - least);
    m_plot->yAxis->setRange(least - room, most + room);
    m_plot->xAxis->setRange(0.0, std::max(20.0, 1.02 * (m_trials->data()->constEnd() - 1)->key));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void DispersionDialog::setNote(const QString& text, bool isError) {
    setRole(m_note, isError ? LabelRole::Error : LabelRole::Secondary);
    m_note->setText(text);
}

QString DispersionDialog::note() const { return m_note->text(); }

void DispersionDialog::end() {
    m_busy = false;
    m_find->setText("Find");
    m_progress->setValue(0);
}

void DispersionDialog::setUndoable(bool undoable) { m_undo->setEnabled(undoable); }

} // namespace echolux
