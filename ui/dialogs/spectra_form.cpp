// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of spectra.
#include "ui/dialogs/spectra_form.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/dialogs/form_parts.hpp"

#include <QGridLayout>
#include <QSpinBox>

#include <initializer_list>
#include <limits>

namespace echolux {
namespace {

constexpr int kMost = std::numeric_limits<int>::max();
constexpr int kMostSamples = 1 << 20;
constexpr int kMostLines = 1 << 24;
constexpr int kMostShift = 15;
constexpr double kLongestNm = 20000.0;
constexpr double kLargestIndex = 10.0;

struct TypeName {
    const char* id;
    const char* text;
};
constexpr TypeName kTypes[] = {{"u16", "16 bit unsigned"}, {"i16", "16 bit signed"},
                               {"u8", "8 bit unsigned"},   {"packed12", "12 bit packed"},
                               {"f32", "32 bit float"},    {"f64", "64 bit float"},
                               {"u32", "32 bit unsigned"}, {"i32", "32 bit signed"}};

} // namespace

SpectraForm::SpectraForm(QWidget* parent)
    : QWidget(parent), m_array(new ComboBox(this)), m_type(new ComboBox(this)),
      m_order(new ComboBox(this)), m_backgroundPlace(new ComboBox(this)),
      m_samples(makeCountBox(1, kMostSamples, 1024, "", this)),
      m_lines(makeCountBox(1, kMostLines, 512, "", this)),
      m_volume(makeCountBox(1, kMostLines, 1, "", this)),
      m_place(makeCountBox(1, kMostLines, 1, "", this)),
      m_background(makeCountBox(0, kMostLines, 0, "", this)),
      m_header(makeCountBox(0, kMost, 0, "bytes", this)),
      m_trailer(makeCountBox(0, kMost, 0, "bytes", this)),
      m_shift(makeCountBox(0, kMostShift, 0, "bits", this)),
      m_centre(makeRealBox(0.0, kLongestNm, 0.0, 1, "nm", this)),
      m_bandwidth(makeRealBox(0.0, kLongestNm, 0.0, 1, "nm", this)),
      m_index(makeExactBox(0.0, kLargestIndex, 0.0, "", this)) {
    for (const TypeName& type : kTypes) m_type->addItem(type.text, type.id);
    m_order->addItem("Little-endian", false);
    m_order->addItem("Big-endian", true);
    m_backgroundPlace->addItem("Before all B-scans", false);
    m_backgroundPlace->addItem("Before each B-scan", true);
    for (QWidget* box : std::initializer_list<QWidget*>{
             m_array, m_type, m_order, m_backgroundPlace, m_samples, m_lines, m_volume, m_place,
             m_background, m_header, m_trailer, m_shift, m_centre, m_bandwidth, m_index})
        box->setFixedSize(kFormField, 3 * kGrid);
    for (QDoubleSpinBox* box : {m_centre, m_bandwidth, m_index})
        box->setSpecialValueText("unknown");
    m_shift->setToolTip("Low bits of each sample that hold no signal");
    m_volume->setToolTip("How many B-scans make one volume; 1: none");
    m_place->setToolTip("How many B-scans follow each other at the same place, as for flow. The "
                        "B-scans per volume count all of them");
    m_background->setSpecialValueText("none");
    m_background->setToolTip("Lines without a sample that come before the first B-scan or before "
                             "each one; their mean is subtracted as background");
    m_bandwidth->setToolTip("Span of wavelengths from the first to the last sample. With the "
                            "centre wavelength it gives depths in micrometres");
    m_index->setToolTip(
        "Of the sample: light takes so many times longer in it than in air, so depths "
        "are divided by it");
    m_backgroundPlace->setEnabled(false);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid / 2);
    addRow(grid, "Array", m_array);
    addRow(grid, "Type", m_type);
    addRow(grid, "Byte order", m_order);
    addRow(grid, "Samples per line", m_samples);
    addRow(grid, "Lines per B-scan", m_lines);
    addRow(grid, "B-scans per volume", m_volume);
    addRow(grid, "B-scans per place", m_place);
    addRow(grid, "Background lines", m_background);
    addRow(grid, "Background position", m_backgroundPlace);
    addRow(grid, "Header", m_header);
    addRow(grid, "Trailer", m_trailer);
    addRow(grid, "Shift", m_shift);
    addRow(grid, "Centre wavelength", m_centre);
    addRow(grid, "Bandwidth", m_bandwidth);
    addRow(grid, "Refractive index", m_index);
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(grid->rowCount(), 1);
    for (QSpinBox* box :
         {m_samples, m_lines, m_volume, m_place, m_background, m_header, m_trailer, m_shift})
        connect(box, &QSpinBox::valueChanged, this, &SpectraForm::follow);
    for (QDoubleSpinBox* box : {m_centre, m_bandwidth, m_index})
        connect(box, &QDoubleSpinBox::valueChanged, this, &SpectraForm::follow);
    for (QComboBox* box : {m_array, m_type, m_order, m_backgroundPlace})
        connect(box, &QComboBox::currentIndexChanged, this, &SpectraForm::follow);
    setTabOrder(m_background, m_backgroundPlace);
    setArrays({});
}

void SpectraForm::setArrays(const QStringList& names) {
    m_filling = true;
    m_headerless = names.isEmpty();
    fillArrays(m_array, names);
    m_filling = false;
    showWhatApplies();
}

RawImportForm SpectraForm::form() const {
    return {.array = m_array->currentData().toString(),
            .type = m_type->currentData().toString(),
            .bigEndian = m_order->currentData().toBool(),
            .samples = m_samples->value(),
            .lines = m_lines->value(),
            .bscansPerVolume = m_volume->value(),
            .bscansPerPlace = m_place->value(),
            .backgroundLines = m_background->value(),
            .backgroundPerBscan = m_backgroundPlace->currentData().toBool(),
            .headerBytes = m_header->value(),
            .trailerBytes = m_trailer->value(),
            .shift = m_shift->value(),
            .centreWavelengthNm = m_centre->value(),
            .bandwidthNm = m_bandwidth->value(),
            .refractiveIndex = m_index->value()};
}

void SpectraForm::setForm(const RawImportForm& form) {
    const RawImportForm before = this->form();
    m_filling = true;
    if (const int at = m_array->findData(form.array); at >= 0) m_array->setCurrentIndex(at);
    m_type->setCurrentIndex(m_type->findData(form.type));
    m_order->setCurrentIndex(form.bigEndian ? 1 : 0);
    m_samples->setValue(form.samples);
    m_lines->setValue(form.lines);
    m_volume->setValue(form.bscansPerVolume);
    m_place->setValue(form.bscansPerPlace);
    m_background->setValue(form.backgroundLines);
    m_backgroundPlace->setCurrentIndex(form.backgroundPerBscan ? 1 : 0);
    m_header->setValue(form.headerBytes);
    m_trailer->setValue(form.trailerBytes);
    m_shift->setValue(form.shift);
    m_centre->setValue(form.centreWavelengthNm);
    m_bandwidth->setValue(form.bandwidthNm);
    m_index->setValue(form.refractiveIndex);
    m_filling = false;
    if (this->form() != before) follow();
}

void SpectraForm::follow() {
    if (m_filling) return;
    showWhatApplies();
    emit changed();
}

void SpectraForm::showWhatApplies() {
    for (QWidget* field :
         std::initializer_list<QWidget*>{m_type, m_order, m_samples, m_lines, m_background,
                                         m_backgroundPlace, m_header, m_trailer})
        setRowVisible(field, m_headerless);
    setRowVisible(m_array, !m_headerless && m_array->count() > 1);
    const QString type = m_type->currentData().toString();
    m_order->setEnabled(type != "u8" && type != "packed12");
    m_shift->setEnabled(!m_headerless || !type.startsWith('f'));
    m_backgroundPlace->setEnabled(m_background->value() > 0);
}

} // namespace echolux
