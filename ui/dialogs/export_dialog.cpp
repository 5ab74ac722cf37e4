// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the export dialog. Fields that the chosen kind does not use are hidden.
#include "ui/dialogs/export_dialog.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/controls/small_buttons.hpp"
#include "ui/dialogs/dialog_parts.hpp"
#include "ui/dialogs/preview_picture.hpp"
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
#include <QTimer>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

constexpr int kFieldWidth = 34 * kGrid;
constexpr double kMostFramesPerS = 240.0;
constexpr int kPreviewMs = 60;
constexpr int kLeastWidth = 16; ///< smaller numbers are on their way to larger ones
constexpr int kLeastLabels = 4;

int orNone(int number, int least) { return number == 0 ? 0 : std::max(number, least); }

struct KindText {
    const char* name;
    const char* help;
};
constexpr std::array<KindText, kExportKinds> kKinds{
    {{"Picture of a frame", "One frame in the colours and the range that are shown now."},
     {"Cine", "Several frames as a film, in the colours and the range that are shown now."},
     {"Values", "The numbers of a stage's output with their axes, for other programs."},
     {"Curve of the picked column", "Depths and values of one column of the image."}}};

/// A switch with its label behind it.
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
      m_width(named(makeCountBox(0, 16384, 0, "px", this), "width")),
      m_labels(named(makeCountBox(0, 400, 0, "px", this), "labels")),
      m_dpi(named(makeCountBox(0, 10000, 0, "dpi", this), "dpi")),
      m_axes(named(new ToggleSwitch(this), "axes")),
      m_scaleBar(named(new ToggleSwitch(this), "scaleBar")),
      m_colourBar(named(new ToggleSwitch(this), "colourBar")),
      m_sixteenBit(named(new ToggleSwitch(this), "sixteenBit")),
      m_path(named(new QLineEdit(this), "path")), m_browse(new QPushButton("Browse\u2026", this)),
      m_export(named(new QPushButton("Export", this), "export")),
      m_close(new QPushButton("Cancel", this)), m_note(named(makeNote(this), "note")),
      m_preview(named(new PreviewPicture(this), "preview")), m_soon(new QTimer(this)) {
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
            [this](const QString& text) { m_export->setEnabled(!m_checking && !text.isEmpty()); });
    connect(m_path, &QLineEdit::textEdited, this, &ExportDialog::followTyping);
    m_soon->setSingleShot(true);
    m_soon->setInterval(kPreviewMs);
    connect(m_soon, &QTimer::timeout, this, &ExportDialog::previewWanted);
    for (ToggleSwitch* toggle : {m_axes, m_scaleBar, m_colourBar, m_sixteenBit})
        connect(toggle, &ToggleSwitch::toggled, this, &ExportDialog::askPreview);
    for (QSpinBox* box : {m_width, m_labels, m_dpi})
        connect(box, &QSpinBox::valueChanged, this, &ExportDialog::askPreview);
    connect(this, &QDialog::finished, this, &ExportDialog::endChecking);
}

void ExportDialog::layOut() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid + kGrid / 2);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid);
    layout->addLayout(grid);
    // The fields do not move, whichever labels are visible.
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
    addRow(grid, "With", makeLooks());
    addRow(grid, "Size", makeSizes());
    auto* place = new QWidget(this);
    auto* places = new QHBoxLayout(place);
    places->setContentsMargins(0, 0, 0, 0);
    places->setSpacing(kGrid);
    places->addWidget(m_path, 1);
    places->addWidget(m_browse);
    addRow(grid, "To", place);
    layout->addWidget(m_preview, 1);
    layout->addWidget(m_note);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kGrid);
    buttons->addStretch(1);
    buttons->addWidget(m_export);
    buttons->addWidget(m_close);
    layout->addLayout(buttons);
    m_export->setDefault(true);
}

QWidget* ExportDialog::makeLooks() {
    auto* look = new QWidget(this);
    auto* looks = new QHBoxLayout(look);
    looks->setContentsMargins(0, 0, 0, 0);
    looks->setSpacing(2 * kGrid);
    for (const auto& [toggle, text] :
         {std::pair{m_axes, "Axes"}, std::pair{m_scaleBar, "Scale bar"},
          std::pair{m_colourBar, "Colour bar"}, std::pair{m_sixteenBit, "16 bit gray"}})
        looks->addWidget(labelled(toggle, text));
    return look;
}

/// Zeros are what follows by itself.
QWidget* ExportDialog::makeSizes() {
    m_width->setSpecialValueText("own pixels");
    m_width->setToolTip("Pixels across the image, without axes and bars");
    m_labels->setSpecialValueText("usual labels");
    m_labels->setToolTip("Height of the labels of axes and bars");
    m_dpi->setSpecialValueText("to scale");
    m_dpi->setToolTip("Resolution that the file states: how large other programs print it");
    auto* size = new QWidget(this);
    auto* sizes = new QHBoxLayout(size);
    sizes->setContentsMargins(0, 0, 0, 0);
    sizes->setSpacing(kGrid);
    for (QSpinBox* box : {m_width, m_labels, m_dpi}) sizes->addWidget(box);
    sizes->addStretch(1);
    return size;
}

void ExportDialog::askPreview() {
    // Levels of 16 bits are written pixel by pixel.
    for (QWidget* field :
         std::initializer_list<QWidget*>{m_axes, m_scaleBar, m_colourBar, m_width, m_labels, m_dpi})
        field->setEnabled(!isDeep());
    if (kind() == ExportKind::Picture || kind() == ExportKind::Cine) m_soon->start();
}

bool ExportDialog::isDeep() const {
    return kind() == ExportKind::Picture && m_sixteenBit->isChecked();
}

void ExportDialog::setPreview(const QImage& picture, const QString& problem) {
    const bool mended = problem.isEmpty() && m_note->text() == m_previewProblem;
    if (mended && !m_checking) showHelp();
    if (!problem.isEmpty() && !m_checking) m_note->setText(problem);
    m_previewProblem = problem;
    m_preview->setImage(picture,
                        static_cast<double>(picture.height()) / std::max(picture.width(), 1));
}

void ExportDialog::setOffer(const ExportOffer& offer) {
    const bool known = !m_kinds.empty() && offer.recording == m_offer.recording;
    const ExportChoice before = choice();
    const int format = m_format->currentIndex();
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
    const auto kept = std::ranges::find(m_kinds, before.kind);
    if (known && kept != m_kinds.end())
        m_kind->setCurrentIndex(static_cast<int>(kept - m_kinds.begin()));
    else
        m_path->clear();
    showKind();
    if (!known) return;
    m_format->setCurrentIndex(std::clamp(format, 0, m_format->count() - 1));
    if (const int output = m_output->findData(before.output); output >= 0)
        m_output->setCurrentIndex(output);
    m_path->setText(before.path);
}

void ExportDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    activateWindow();
    m_path->setFocus();
    // Typing replaces the name, but neither the folder nor the ending.
    const QString path = m_path->text();
    const auto name = path.lastIndexOf('/') + 1;
    const auto length = path.size() - endingOf(path).size() - name;
    m_path->setSelection(static_cast<int>(name), static_cast<int>(length));
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
    show(m_width->parentWidget(), picture || cine);
    m_preview->setVisible(picture || cine);
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
    showHelp();
    showFormats();
    askPreview();
}

void ExportDialog::showHelp() {
    setRole(m_note, LabelRole::Secondary);
    m_note->setText(kKinds[static_cast<std::size_t>(kind())].help);
}

void ExportDialog::showFormats() {
    const QSignalBlocker quiet(m_format);
    m_format->clear();
    for (const ExportFormat& format : formats())
        m_format->addItem(QString("%1 (%2)").arg(format.label, format.ending));
    if (m_path->text().isEmpty())
        m_path->setText(QDir(m_offer.folder).filePath(m_offer.baseName + ending()));
    else
        followEnding();
}

/// An ending may contain a dot, so the longest one that fits counts.
QString ExportDialog::endingOf(const QString& path) const {
    qsizetype longest = 0;
    for (const auto& kind : m_offer.formats)
        for (const ExportFormat& format : kind)
            if (path.endsWith(format.ending, Qt::CaseInsensitive))
                longest = std::max(longest, format.ending.size());
    return path.right(longest);
}

/// Replaces the ending in the file's name.
void ExportDialog::followEnding() {
    const QString path = m_path->text();
    m_path->setText(path.chopped(endingOf(path).size()) + ending());
}

/// A typed ending of the chosen kind selects its format.
void ExportDialog::followTyping() {
    showHelp();
    const QString typed = endingOf(m_path->text());
    const auto at = std::ranges::find_if(formats(), [&](const ExportFormat& format) {
        return format.ending.compare(typed, Qt::CaseInsensitive) == 0;
    });
    if (at == formats().end()) return;
    const QSignalBlocker quiet(m_format);
    m_format->setCurrentIndex(static_cast<int>(at - formats().begin()));
}

void ExportDialog::browse() {
    const QString path = QFileDialog::getSaveFileName(this, "Export to", m_path->text());
    if (path.isEmpty()) return;
    m_path->setText(path);
    followTyping();
}

ExportChoice ExportDialog::choice() const {
    const bool several = kind() == ExportKind::Cine || kind() == ExportKind::Values;
    QString path = QDir(m_offer.folder).absoluteFilePath(m_path->text());
    if (endingOf(path).compare(ending(), Qt::CaseInsensitive) != 0) path += ending();
    return {.kind = kind(),
            .path = path,
            .output = m_output->currentData().toString(),
            .firstFrame = m_first->value(),
            .lastFrame = several ? m_last->value() : m_first->value(),
            .framesPerS = m_rate->value(),
            .axes = !isDeep() && m_axes->isChecked(),
            .scaleBar = !isDeep() && m_scaleBar->isChecked(),
            .colourBar = !isDeep() && m_colourBar->isChecked(),
            .sixteenBit = isDeep(),
            .width = isDeep() ? 0 : orNone(m_width->value(), kLeastWidth),
            .labelsPx = isDeep() ? 0 : orNone(m_labels->value(), kLeastLabels),
            .dpi = isDeep() ? 0.0 : static_cast<double>(m_dpi->value())};
}

void ExportDialog::setChecking() {
    m_checking = true;
    m_export->setEnabled(false);
    setRole(m_note, LabelRole::Secondary);
    m_note->setText("Checking whether this can be written\u2026");
}

void ExportDialog::endChecking() {
    if (!std::exchange(m_checking, false)) return;
    m_export->setEnabled(!m_path->text().isEmpty());
    showHelp();
}

void ExportDialog::setError(const QString& sentence) {
    endChecking();
    setRole(m_note, LabelRole::Error);
    m_note->setText(sentence);
}

} // namespace echolux
