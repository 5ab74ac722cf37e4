// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the export dialog: those that the chosen kind has no use for are hidden.
#include "ui/dialogs/export_dialog.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/controls/small_buttons.hpp"
#include "ui/dialogs/dialog_parts.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

constexpr int kFieldWidth = 34 * kGrid;
constexpr double kMostFramesPerS = 240.0;

struct KindText {
    const char* name;
    const char* help;
};
constexpr std::array<KindText, kExportKinds> kKinds{
    {{"Picture of a frame", "One frame in the colours and the range that are shown now."},
     {"Cine", "Several frames as a film, in the colours and the range that are shown now."},
     {"Values", "The numbers of a stage's output with their axes, as other programs read them."},
     {"Curve of the picked column", "Depths and values of one column of the image."}}};

/// The switch and, behind it, what it is for.
QWidget* labelled(ToggleSwitch* toggle, const char* text) {
    auto* both = new QWidget(toggle->parentWidget());
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid);
    row->addWidget(toggle);
    row->addWidget(makeLabel(text, LabelRole::Normal, both));
    toggle->setAccessibleName(text);
    return both;
}

template <class Widget> Widget* named(Widget* widget, const char* name) {
    widget->setObjectName(name);
    return widget;
}

} // namespace

ExportDialog::ExportDialog(QWidget* parent)
    : QDialog(parent), m_kind(named(new ComboBox(this), "kind")),
      m_format(named(new ComboBox(this), "format")), m_output(named(new ComboBox(this), "output")),
      m_first(named(makeCountBox(1, 1, 1, "", this), "first")),
      m_last(named(makeCountBox(1, 1, 1, "", this), "last")),
      m_rate(named(makeRealBox(0.1, kMostFramesPerS, 25.0, 1, "/s", this), "rate")),
      m_axes(named(new ToggleSwitch(this), "axes")),
      m_scaleBar(named(new ToggleSwitch(this), "scaleBar")),
      m_colourBar(named(new ToggleSwitch(this), "colourBar")),
      m_sixteenBit(named(new ToggleSwitch(this), "sixteenBit")),
      m_path(named(new QLineEdit(this), "path")), m_browse(new QPushButton("Browse\u2026", this)),
      m_export(named(new QPushButton("Export", this), "export")),
      m_close(new QPushButton("Cancel", this)), m_note(makeNote(this)) {
    setWindowTitle("Export");
    m_note->setMinimumHeight(5 * kGrid);
    layOut();
    connect(m_kind, &QComboBox::currentIndexChanged, this, &ExportDialog::showKind);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::followEnding);
    connect(m_browse, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_export, &QPushButton::clicked, this, [this] { emit exportRequested(choice()); });
    connect(m_first, &QSpinBox::valueChanged, this,
            [this](int first) { m_last->setValue(std::max(first, m_last->value())); });
    connect(m_last, &QSpinBox::valueChanged, this,
            [this](int last) { m_first->setValue(std::min(last, m_first->value())); });
    connect(m_path, &QLineEdit::textChanged, this,
            [this](const QString& text) { m_export->setEnabled(!text.isEmpty()); });
}

void ExportDialog::layOut() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid + kGrid / 2);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid);
    layout->addLayout(grid);
    // The fields stand where they stand, whichever labels are shown.
    grid->setColumnMinimumWidth(0, fontMetrics().horizontalAdvance("Frames per second"));
    grid->setColumnStretch(1, 1);
    for (ComboBox* box : {m_kind, m_format, m_output}) box->setFixedWidth(kFieldWidth);
    m_path->setMinimumSize(kFieldWidth, 3 * kGrid);
    m_sixteenBit->setToolTip("The shown range as 65536 levels of gray, without colours");
    addRow(grid, "Export", m_kind);
    addRow(grid, "Output of", m_output);
    addRow(grid, "Format", m_format);
    addRow(grid, "From frame", m_first);
    addRow(grid, "to frame", m_last);
    addRow(grid, "Frames per second", m_rate);
    auto* look = new QWidget(this);
    auto* looks = new QHBoxLayout(look);
    looks->setContentsMargins(0, 0, 0, 0);
    looks->setSpacing(2 * kGrid);
    for (const auto& [toggle, text] :
         {std::pair{m_axes, "Axes"}, std::pair{m_scaleBar, "Scale bar"},
          std::pair{m_colourBar, "Colour bar"}, std::pair{m_sixteenBit, "16 bit gray"}})
        looks->addWidget(labelled(toggle, text));
    addRow(grid, "With", look);
    auto* place = new QWidget(this);
    auto* places = new QHBoxLayout(place);
    places->setContentsMargins(0, 0, 0, 0);
    places->setSpacing(kGrid);
    places->addWidget(m_path, 1);
    places->addWidget(m_browse);
    addRow(grid, "To", place);
    layout->addWidget(m_note);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kGrid);
    buttons->addStretch(1);
    buttons->addWidget(m_export);
    buttons->addWidget(m_close);
    layout->addLayout(buttons);
    m_export->setDefault(true);
}

void ExportDialog::setOffer(const ExportOffer& offer) {
    m_offer = offer;
    for (QSpinBox* box : {m_first, m_last}) {
        const QSignalBlocker quiet(box);
        box->setRange(1, std::max(offer.frames, 1));
        box->setValue(offer.shownFrame);
    }
    m_rate->setValue(offer.framesPerS > 0.0 ? offer.framesPerS : 25.0);
    m_output->clear();
    for (const ExportOutput& output : offer.outputs) m_output->addItem(output.label, output.name);
    m_output->setCurrentIndex(m_output->count() - 1);
    const QSignalBlocker quiet(m_kind);
    m_kind->clear();
    m_kinds.clear();
    for (std::size_t i = 0; i < kExportKinds; ++i) {
        if (offer.formats[i].empty()) continue;
        m_kinds.push_back(static_cast<ExportKind>(i));
        m_kind->addItem(kKinds[i].name);
    }
    showKind();
}

ExportKind ExportDialog::kind() const {
    const auto at = static_cast<std::size_t>(std::max(m_kind->currentIndex(), 0));
    return at < m_kinds.size() ? m_kinds[at] : ExportKind::Picture;
}

const std::vector<ExportFormat>& ExportDialog::formats() const {
    return m_offer.formats[static_cast<std::size_t>(kind())];
}

QString ExportDialog::ending() const {
    const auto at = static_cast<std::size_t>(std::max(m_format->currentIndex(), 0));
    return at < formats().size() ? formats()[at].ending : QString();
}

void ExportDialog::showKind() {
    const ExportKind now = kind();
    const bool picture = now == ExportKind::Picture;
    const bool cine = now == ExportKind::Cine;
    const bool values = now == ExportKind::Values;
    auto* grid = layout()->itemAt(0)->layout();
    const auto show = [&](QWidget* field, bool shown) {
        const int index = grid->indexOf(field);
        grid->itemAt(index - 1)->widget()->setVisible(shown); // its label
        field->setVisible(shown);
    };
    show(m_output, values);
    show(m_last, cine || values);
    show(m_rate, cine);
    show(m_axes->parentWidget()->parentWidget(), picture || cine);
    m_sixteenBit->parentWidget()->setVisible(picture);
    auto* first = qobject_cast<QLabel*>(grid->itemAt(grid->indexOf(m_first) - 1)->widget());
    first->setText(cine || values ? "From frame" : "Frame");
    if (cine) {
        m_first->setValue(1);
        m_last->setValue(m_offer.frames);
    } else {
        m_first->setValue(m_offer.shownFrame);
        m_last->setValue(m_offer.shownFrame);
    }
    setRole(m_note, LabelRole::Secondary);
    m_note->setText(kKinds[static_cast<std::size_t>(now)].help);
    showFormats();
}

void ExportDialog::showFormats() {
    const QSignalBlocker quiet(m_format);
    m_format->clear();
    for (const ExportFormat& format : formats())
        m_format->addItem(QString("%1 (%2)").arg(format.label, format.ending));
    m_path->setText(QDir(m_offer.folder).filePath(m_offer.baseName + ending()));
}

/// The file's name keeps all but the ending, which may have a dot in itself.
void ExportDialog::followEnding() {
    QString path = m_path->text();
    for (const auto& kind : m_offer.formats) {
        const auto known = std::ranges::find_if(kind, [&](const ExportFormat& format) {
            return path.endsWith(format.ending, Qt::CaseInsensitive);
        });
        if (known == kind.end()) continue;
        path.chop(known->ending.size());
        break;
    }
    m_path->setText(path + ending());
}

void ExportDialog::browse() {
    const QString path = QFileDialog::getSaveFileName(this, "Export to", m_path->text());
    if (!path.isEmpty()) m_path->setText(path);
}

ExportChoice ExportDialog::choice() const {
    const bool several = kind() == ExportKind::Cine || kind() == ExportKind::Values;
    return {.kind = kind(),
            .path = m_path->text(),
            .output = m_output->currentData().toString(),
            .firstFrame = m_first->value(),
            .lastFrame = several ? m_last->value() : m_first->value(),
            .framesPerS = m_rate->value(),
            .axes = m_axes->isChecked(),
            .scaleBar = m_scaleBar->isChecked(),
            .colourBar = m_colourBar->isChecked(),
            .sixteenBit = kind() == ExportKind::Picture && m_sixteenBit->isChecked()};
}

void ExportDialog::setError(const QString& sentence) {
    setRole(m_note, LabelRole::Error);
    m_note->setText(sentence);
}

} // namespace echolux
