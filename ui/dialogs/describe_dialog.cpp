// SPDX-License-Identifier: GPL-3.0-or-later
// Fields, suggestions and preview of the raw import.
#include "ui/dialogs/raw_import_dialog.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/dialogs/dialog_parts.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>

#include <limits>

namespace echolux {

/// The picture fills its place: lines and depths have no common scale here.
class PreviewPicture : public QWidget {
public:
    explicit PreviewPicture(QWidget* parent) : QWidget(parent) {
        setMinimumSize(48 * kGrid, 44 * kGrid);
    }
    void setImage(const QImage& image) {
        m_image = image;
        update();
    }
    bool isEmpty() const { return m_image.isNull(); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(rect(), tokens().surround);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        if (!m_image.isNull()) painter.drawImage(rect(), m_image);
    }

private:
    QImage m_image;
};

namespace {

constexpr int kMost = std::numeric_limits<int>::max();
constexpr int kMostSamples = 1 << 20;
constexpr int kMostLines = 1 << 24;
constexpr int kMostShift = 15;
constexpr double kLongestNm = 20000.0;

struct TypeName {
    const char* id;
    const char* text;
};
constexpr TypeName kTypes[] = {{"u16", "16 bit unsigned"}, {"i16", "16 bit signed"},
                               {"u8", "8 bit unsigned"},   {"packed12", "12 bit packed"},
                               {"f32", "32 bit float"},    {"f64", "64 bit float"},
                               {"u32", "32 bit unsigned"}, {"i32", "32 bit signed"}};

} // namespace

RawImportDialog::RawImportDialog(QWidget* parent)
    : QDialog(parent), m_file(makeLabel("", LabelRole::Normal, this)), m_type(new ComboBox(this)),
      m_order(new ComboBox(this)), m_kind(new ComboBox(this)),
      m_backgroundPlace(new ComboBox(this)),
      m_samples(makeCountBox(1, kMostSamples, 1024, "", this)),
      m_lines(makeCountBox(1, kMostLines, 512, "", this)),
      m_volume(makeCountBox(1, kMostLines, 1, "", this)),
      m_background(makeCountBox(0, kMostLines, 0, "", this)),
      m_header(makeCountBox(0, kMost, 0, "bytes", this)),
      m_trailer(makeCountBox(0, kMost, 0, "bytes", this)),
      m_shift(makeCountBox(0, kMostShift, 0, "bits", this)),
      m_centre(makeRealBox(0.0, kLongestNm, 0.0, 1, "nm", this)),
      m_bandwidth(makeRealBox(0.0, kLongestNm, 0.0, 1, "nm", this)), m_fit(makeNote(this)),
      m_caption(makeLabel("", LabelRole::Secondary, this)), m_suggestions(new QWidget(this)),
      m_suggestionList(new QVBoxLayout(m_suggestions)), m_picture(new PreviewPicture(this)),
      m_open(new QPushButton("Open", this)), m_cancel(new QPushButton("Cancel", this)) {
    setWindowTitle("Import raw spectra");
    setModal(false);
    for (const TypeName& type : kTypes) m_type->addItem(type.text, type.id);
    m_order->addItem("Little-endian", false);
    m_order->addItem("Big-endian", true);
    m_kind->addItem("B-scan", false);
    m_kind->addItem("Spectra", true);
    m_backgroundPlace->addItem("Before all B-scans", false);
    m_backgroundPlace->addItem("Before each B-scan", true);
    for (QComboBox* box : {m_type, m_order, m_backgroundPlace})
        box->setFixedSize(kNumberWidth + 5 * kGrid, 3 * kGrid);
    m_kind->setFixedSize(kNumberWidth, 3 * kGrid);
    for (QDoubleSpinBox* box : {m_centre, m_bandwidth}) box->setSpecialValueText("unknown");
    m_shift->setToolTip("Low bits of each sample that hold no signal");
    m_volume->setToolTip("How many B-scans make one volume; 1: none");
    m_background->setSpecialValueText("none");
    m_background->setToolTip("Lines without a sample that come before the first B-scan or before "
                             "each one; their mean is subtracted as background");
    m_bandwidth->setToolTip("Wavelengths from the first to the last sample; with the centre "
                            "wavelength it gives depths in micrometres");
    m_open->setDefault(true);
    m_backgroundPlace->setEnabled(false);
    layOut();
    for (QSpinBox* box : {m_samples, m_lines, m_volume, m_background, m_header, m_trailer, m_shift})
        connect(box, &QSpinBox::valueChanged, this, &RawImportDialog::follow);
    for (QDoubleSpinBox* box : {m_centre, m_bandwidth})
        connect(box, &QDoubleSpinBox::valueChanged, this, &RawImportDialog::follow);
    for (QComboBox* box : {m_type, m_order, m_backgroundPlace})
        connect(box, &QComboBox::currentIndexChanged, this, &RawImportDialog::follow);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &RawImportDialog::previewKindChanged);
    connect(m_open, &QPushButton::clicked, this, &RawImportDialog::openRequested);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
}

void RawImportDialog::layOut() {
    auto* fields = new QWidget(this);
    auto* grid = new QGridLayout(fields);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid / 2);
    addRow(grid, "Type", m_type);
    addRow(grid, "Byte order", m_order);
    addRow(grid, "Samples per line", m_samples);
    addRow(grid, "Lines per B-scan", m_lines);
    addRow(grid, "B-scans per volume", m_volume);
    addRow(grid, "Background lines", m_background);
    addRow(grid, "Their place", m_backgroundPlace);
    addRow(grid, "Header", m_header);
    addRow(grid, "Trailer", m_trailer);
    addRow(grid, "Shift", m_shift);
    addRow(grid, "Centre wavelength", m_centre);
    addRow(grid, "Bandwidth", m_bandwidth);
    grid->setColumnStretch(1, 1);
    setTabOrder(m_background, m_backgroundPlace);

    m_suggestionList->setContentsMargins(0, 0, 0, 0);
    m_suggestionList->setSpacing(kGrid / 2);
    auto* left = new QVBoxLayout;
    left->setSpacing(kGrid + kGrid / 2);
    left->addWidget(m_file);
    left->addWidget(fields);
    left->addWidget(m_fit);
    left->addWidget(m_suggestions);
    left->addStretch(1);

    auto* head = new QHBoxLayout;
    head->addWidget(m_caption, 1);
    head->addWidget(m_kind);
    auto* right = new QVBoxLayout;
    right->setSpacing(kGrid);
    right->addLayout(head);
    right->addWidget(m_picture, 1);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kGrid);
    buttons->addWidget(makeLabel(
        "The answer is kept beside the file, or in your data folder where that is read-only.",
        LabelRole::Secondary, this));
    buttons->addStretch(1);
    buttons->addWidget(m_open);
    buttons->addWidget(m_cancel);

    auto* columns = new QHBoxLayout;
    columns->setSpacing(3 * kGrid);
    columns->addLayout(left);
    columns->addLayout(right, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addLayout(columns, 1);
    layout->addLayout(buttons);
    m_fit->setFixedWidth(38 * kGrid);
}

void RawImportDialog::setFile(const QString& name, qint64 bytes) {
    m_file->setText(
        QString("%1, %2 bytes")
            .arg(name, QLocale(QLocale::English).toString(bytes).replace(',', QChar(0x202F))));
    setSuggestions({});
    setPreview({}, {});
    m_kind->setCurrentIndex(0);
}

RawImportForm RawImportDialog::form() const {
    return {.type = m_type->currentData().toString(),
            .bigEndian = m_order->currentData().toBool(),
            .samples = m_samples->value(),
            .lines = m_lines->value(),
            .bscansPerVolume = m_volume->value(),
            .backgroundLines = m_background->value(),
            .backgroundPerBscan = m_backgroundPlace->currentData().toBool(),
            .headerBytes = m_header->value(),
            .trailerBytes = m_trailer->value(),
            .shift = m_shift->value(),
            .centreWavelengthNm = m_centre->value(),
            .bandwidthNm = m_bandwidth->value()};
}

void RawImportDialog::setForm(const RawImportForm& form) {
    const RawImportForm before = this->form();
    m_filling = true;
    m_type->setCurrentIndex(m_type->findData(form.type));
    m_order->setCurrentIndex(form.bigEndian ? 1 : 0);
    m_samples->setValue(form.samples);
    m_lines->setValue(form.lines);
    m_volume->setValue(form.bscansPerVolume);
    m_background->setValue(form.backgroundLines);
    m_backgroundPlace->setCurrentIndex(form.backgroundPerBscan ? 1 : 0);
    m_header->setValue(form.headerBytes);
    m_trailer->setValue(form.trailerBytes);
    m_shift->setValue(form.shift);
    m_centre->setValue(form.centreWavelengthNm);
    m_bandwidth->setValue(form.bandwidthNm);
    m_filling = false;
    if (this->form() != before) follow();
}

void RawImportDialog::follow() {
    if (m_filling) return;
    const QString type = m_type->currentData().toString();
    m_order->setEnabled(type != "u8" && type != "packed12");
    m_shift->setEnabled(!type.startsWith('f'));
    m_backgroundPlace->setEnabled(m_background->value() > 0);
    emit formChanged();
}

bool RawImportDialog::wantsSpectra() const { return m_kind->currentData().toBool(); }

void RawImportDialog::setFit(const QString& sentence, bool fits) {
    m_fits = fits;
    setRole(m_fit, fits ? LabelRole::Normal : LabelRole::Warning);
    m_fit->setText(sentence);
    m_open->setEnabled(fits);
}

QString RawImportDialog::fitText() const { return m_fit->text(); }

void RawImportDialog::setSuggestions(const std::vector<Suggestion>& suggestions) {
    while (QLayoutItem* item = m_suggestionList->takeAt(0)) {
        // NOTE: one of them may be the sender of the signal that leads here.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    if (suggestions.empty()) return;
    m_suggestionList->addWidget(
        makeLabel("These sizes would fit", LabelRole::Secondary, m_suggestions));
    for (const Suggestion& each : suggestions) {
        auto* button = new QPushButton(each.text, m_suggestions);
        button->setAutoDefault(false);
        m_suggestionList->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, form = each.form] { setForm(form); });
    }
}

void RawImportDialog::setPreview(const QImage& image, const QString& caption) {
    m_picture->setImage(image);
    m_caption->setText(caption);
}

bool RawImportDialog::hasPreview() const { return !m_picture->isEmpty(); }

void RawImportDialog::setError(const QString& sentence) {
    setRole(m_fit, LabelRole::Error);
    m_fit->setText(sentence);
}

} // namespace echolux
