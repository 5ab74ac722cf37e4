// SPDX-License-Identifier: GPL-3.0-or-later
// Layout and states of the mirror dialog.
#include "ui/dialogs/mirror_dialog.hpp"

#include "ui/dialogs/dialog_parts.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>

namespace echolux {

MirrorDialog::MirrorDialog(QWidget* parent)
    : QDialog(parent), m_files(makeLabel("", LabelRole::Normal, this)),
      m_plot(makeDialogPlot("sample, equally spaced in wavenumber", "from linear (samples)", this)),
      m_linear(m_plot->addGraph()), m_curve(m_plot->addGraph()), m_note(makeNote(this)),
      m_choose(new QPushButton("Load mirrors\u2026", this)),
      m_apply(new QPushButton("Apply", this)), m_save(new QPushButton("Save\u2026", this)),
      m_close(new QPushButton("Close", this)) {
    setWindowTitle("k from mirror recordings");
    setModal(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid + kGrid / 2);
    auto* head = new QHBoxLayout;
    head->setSpacing(2 * kGrid);
    head->addWidget(m_choose);
    head->addWidget(m_files, 1);
    layout->addLayout(head);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_note);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kGrid);
    buttons->addWidget(m_save);
    buttons->addStretch(1);
    buttons->addWidget(m_apply);
    buttons->addWidget(m_close);
    layout->addLayout(buttons);
    m_choose->setToolTip("One recording of a mirror, or two: one on each side of zero delay");
    m_apply->setToolTip("Use the curve for the open recording");
    m_save->setToolTip("Keep the curve in a calibration file");
    connect(m_choose, &QPushButton::clicked, this, &MirrorDialog::choose);
    connect(m_apply, &QPushButton::clicked, this, &MirrorDialog::applyRequested);
    connect(m_save, &QPushButton::clicked, this, &MirrorDialog::saveRequested);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(&Theme::instance(), &Theme::changed, this, &MirrorDialog::restyle);
    restyle();
    setHasEstimate(false);
    m_note->setText(
        "A mirror gives one fringe. The fringe's phase shows where each sample lies in wavenumber. "
        "Two recordings, one on each side of zero delay, also give the dispersion.");
}

void MirrorDialog::restyle() {
    m_linear->setPen(QPen(tokens().edge, 1.0));
    m_curve->setPen(QPen(plotColour(0), 1.5));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void MirrorDialog::setHasEstimate(bool has) {
    m_hasEstimate = has;
    m_apply->setEnabled(has);
    m_save->setEnabled(has);
}

void MirrorDialog::choose() {
    const QStringList paths =
        QFileDialog::getOpenFileNames(this, "Load one or two mirror recordings", m_folder);
    if (paths.isEmpty()) return;
    m_folder = QFileInfo(paths.front()).absolutePath();
    emit recordingsChosen(paths);
}

void MirrorDialog::begin(const QStringList& paths) {
    QStringList names;
    for (const QString& path : paths) names << QFileInfo(path).fileName();
    m_files->setText(names.join(" and "));
    setHasEstimate(false);
    setRole(m_note, LabelRole::Secondary);
    m_note->setText("Measuring \u2026");
}

void MirrorDialog::setEstimate(const QVector<double>& deviation, const QString& text) {
    QVector<double> samples;
    for (qsizetype i = 0; i < deviation.size(); ++i) samples.push_back(static_cast<double>(i));
    m_curve->setData(samples, deviation, true);
    const double last = static_cast<double>(std::max<qsizetype>(deviation.size() - 1, 1));
    m_linear->setData({0.0, last}, {0.0, 0.0}, true);
    m_plot->xAxis->setRange(0.0, last);
    const auto [low, high] = std::minmax_element(deviation.begin(), deviation.end());
    const double room = std::max(0.5, 0.08 * (*high - *low));
    m_plot->yAxis->setRange(std::min(0.0, *low) - room, std::max(0.0, *high) + room);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    setRole(m_note, LabelRole::Secondary);
    m_note->setText(text);
    setHasEstimate(true);
}

void MirrorDialog::setError(const QString& sentence) {
    setRole(m_note, LabelRole::Error);
    m_note->setText(sentence);
}

void MirrorDialog::setApplied(bool applied) { m_apply->setEnabled(m_hasEstimate && !applied); }

QString MirrorDialog::note() const { return m_note->text(); }

} // namespace echolux
