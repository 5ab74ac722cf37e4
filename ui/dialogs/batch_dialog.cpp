// SPDX-License-Identifier: GPL-3.0-or-later
// The list of files, and the result for each.
#include "ui/dialogs/batch_dialog.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/dialogs/dialog_parts.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace echolux {
namespace {

constexpr int kBatchFieldWidth = 34 * kGrid;
constexpr const char* kBatchHelp =
    "Each file is processed with the pipeline and the colours in use now. Pictures show its first "
    "frame; other exports hold all frames.";

} // namespace

BatchDialog::BatchDialog(QWidget* parent)
    : QDialog(parent), m_files(new QListWidget(this)), m_format(new ComboBox(this)),
      m_output(new ComboBox(this)), m_folder(new QLineEdit(this)),
      m_add(new QPushButton("Add files\u2026", this)), m_remove(new QPushButton("Remove", this)),
      m_browse(new QPushButton("Browse\u2026", this)), m_start(new QPushButton("Export all", this)),
      m_close(new QPushButton("Close", this)), m_note(makeNote(this)) {
    setWindowTitle("Export many files");
    m_format->setObjectName("format");
    m_output->setObjectName("output");
    m_folder->setObjectName("folder");
    m_start->setObjectName("start");
    m_note->setObjectName("note");
    m_files->setSelectionMode(QAbstractItemView::ExtendedSelection);
    layOut();
    connect(m_add, &QPushButton::clicked, this, &BatchDialog::chooseFiles);
    connect(m_browse, &QPushButton::clicked, this, &BatchDialog::chooseFolder);
    connect(m_remove, &QPushButton::clicked, this, [this] {
        qDeleteAll(m_files->selectedItems());
        showState();
    });
    connect(m_files, &QListWidget::itemSelectionChanged, this, &BatchDialog::showState);
    connect(m_format, &QComboBox::currentIndexChanged, this, &BatchDialog::showState);
    connect(m_folder, &QLineEdit::textChanged, this, &BatchDialog::showState);
    connect(m_start, &QPushButton::clicked, this, [this] { emit batchRequested(choice()); });
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
}

void BatchDialog::layOut() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid + kGrid / 2);
    m_files->setMinimumSize(60 * kGrid, 16 * kGrid);
    layout->addWidget(m_files, 1);
    auto* edits = new QHBoxLayout;
    edits->setSpacing(kGrid);
    edits->addWidget(m_add);
    edits->addWidget(m_remove);
    edits->addStretch(1);
    layout->addLayout(edits);
    auto* fields = new QWidget(this);
    auto* grid = new QGridLayout(fields);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid);
    grid->setColumnStretch(1, 1);
    layout->addWidget(fields);
    for (ComboBox* box : {m_format, m_output}) box->setFixedWidth(kBatchFieldWidth);
    m_folder->setMinimumSize(kBatchFieldWidth, 3 * kGrid);
    addRow(grid, "Export", m_format);
    addRow(grid, "Output of", m_output);
    auto* place = new QWidget(this);
    auto* places = new QHBoxLayout(place);
    places->setContentsMargins(0, 0, 0, 0);
    places->setSpacing(kGrid);
    places->addWidget(m_folder, 1);
    places->addWidget(m_browse);
    addRow(grid, "Folder", place);
    layout->addWidget(m_note);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kGrid);
    buttons->addStretch(1);
    buttons->addWidget(m_start);
    buttons->addWidget(m_close);
    layout->addLayout(buttons);
    m_start->setDefault(true);
}

void BatchDialog::setOffer(const ExportOffer& offer, const QString& begin) {
    m_begin = begin;
    const BatchChoice before = choice();
    m_formats.clear();
    m_format->clear();
    for (std::size_t kind = 0; kind < kExportKinds; ++kind) {
        if (static_cast<ExportKind>(kind) == ExportKind::Curve) continue; // for one file only
        for (const ExportFormat& format : offer.formats[kind]) {
            m_formats.emplace_back(static_cast<ExportKind>(kind), format.ending);
            m_format->addItem(QString("%1 (%2)").arg(format.label, format.ending));
        }
    }
    const auto kept = std::ranges::find(m_formats, std::pair(before.kind, before.ending));
    if (kept != m_formats.end())
        m_format->setCurrentIndex(static_cast<int>(kept - m_formats.begin()));
    m_output->clear();
    for (const ExportOutput& output : offer.outputs) m_output->addItem(output.label, output.name);
    const int same = m_output->findData(before.output);
    m_output->setCurrentIndex(same >= 0 ? same : m_output->count() - 1);
    if (m_folder->text().isEmpty()) m_folder->setText(offer.folder);
    showState();
}

void BatchDialog::addFiles(const QStringList& paths) {
    for (const QString& path : paths) {
        if (!m_files->findItems(path, Qt::MatchExactly | Qt::MatchCaseSensitive).isEmpty())
            continue;
        m_files->addItem(path);
    }
    showState();
}

void BatchDialog::chooseFiles() {
    const QStringList paths = QFileDialog::getOpenFileNames(this, "Add recordings", m_begin);
    if (paths.isEmpty()) return;
    m_begin = QFileInfo(paths.front()).absolutePath();
    addFiles(paths);
}

void BatchDialog::chooseFolder() {
    const QString path =
        QFileDialog::getExistingDirectory(this, "Export to the folder", m_folder->text());
    if (!path.isEmpty()) m_folder->setText(path);
}

BatchChoice BatchDialog::choice() const {
    BatchChoice chosen;
    for (int i = 0; i < m_files->count(); ++i) chosen.files << m_files->item(i)->text();
    const auto at = static_cast<std::size_t>(std::max(m_format->currentIndex(), 0));
    if (at < m_formats.size()) std::tie(chosen.kind, chosen.ending) = m_formats[at];
    chosen.output = m_output->currentData().toString();
    chosen.folder = m_folder->text();
    return chosen;
}

void BatchDialog::showState() {
    const BatchChoice now = choice();
    setRowVisible(m_output, now.kind == ExportKind::Values);
    m_remove->setEnabled(!m_files->selectedItems().isEmpty());
    m_start->setEnabled(!now.files.isEmpty() && !now.folder.isEmpty());
    setRole(m_note, LabelRole::Secondary);
    m_note->setText(kBatchHelp);
}

void BatchDialog::setError(const QString& sentence) {
    setRole(m_note, LabelRole::Error);
    m_note->setText(sentence);
}

} // namespace echolux
