// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of an array. Fields without meaning for the chosen values are hidden.
#include "ui/dialogs/array_fields.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/theme/labels.hpp"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QSpinBox>

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace echolux {
namespace {

constexpr int kMost = std::numeric_limits<int>::max();

const std::vector<FormItem> kTypes{{"i16", "16 bit signed"}, {"u16", "16 bit unsigned"},
                                   {"i8", "8 bit signed"},   {"u8", "8 bit unsigned"},
                                   {"f32", "32 bit float"},  {"f64", "64 bit float"},
                                   {"i32", "32 bit signed"}};

} // namespace

ArrayFields::ArrayFields(const std::vector<FormItem>& roles, QWidget* parent)
    : QWidget(parent), m_array(makeChoice({}, this)), m_type(makeChoice(kTypes, this)),
      m_order(makeChoice({}, this)), m_header(makeCountBox(0, kMost, 0, "bytes", this)),
      m_trailer(makeCountBox(0, kMost, 0, "bytes", this)), m_codeOffset(makePlace(1e9, "", this)) {
    m_order->addItem("Little-endian", false);
    m_order->addItem("Big-endian", true);
    for (QSpinBox* box : {m_header, m_trailer}) box->setFixedSize(kFormField, 3 * kGrid);
    m_codeOffset->setToolTip("The stored value that means 0. For unsigned samples it is about the "
                             "middle of their range: 128 for 8 bits, 2048 for 12 bits");
    QGridLayout* grid = makeFormGrid(this);
    addHeading(grid, "Storage");
    const auto add = [&](const QString& label, QWidget* field) {
        const int row = grid->rowCount();
        grid->addWidget(makeLabel(label, LabelRole::Secondary, this), row, 0);
        grid->addWidget(field, row, 1, 1, 2, Qt::AlignRight);
    };
    add("Array", m_array);
    add("Type", m_type);
    add("Byte order", m_order);
    add("Header", m_header);
    add("Trailer", m_trailer);
    add("Zero level", m_codeOffset);
    addHeading(grid, "Axes, slowest first");
    for (int i = 0; i < kMostAxes; ++i) {
        AxisRow& axis = m_axes[static_cast<std::size_t>(i)];
        axis.label = makeLabel(QString("Axis %1").arg(i + 1), LabelRole::Secondary, this);
        axis.role = makeChoice(roles, this);
        axis.role->setFixedSize(kNumberWidth, 3 * kGrid);
        axis.size = makeCountBox(0, kMost, 1, "", this);
        axis.size->setSpecialValueText("all");
        axis.size->setFixedSize(8 * kGrid, 3 * kGrid);
        axis.size->setToolTip("0: as many as the file holds");
        const int row = grid->rowCount();
        grid->addWidget(axis.label, row, 0);
        grid->addWidget(axis.role, row, 1, Qt::AlignRight);
        grid->addWidget(axis.size, row, 2, Qt::AlignRight);
        connect(axis.role, &QComboBox::currentIndexChanged, this, &ArrayFields::follow);
        connect(axis.size, &QSpinBox::valueChanged, this, &ArrayFields::follow);
    }
    grid->setColumnStretch(1, 1);
    for (QComboBox* box : {m_array, m_type, m_order})
        connect(box, &QComboBox::currentIndexChanged, this, &ArrayFields::follow);
    for (QSpinBox* box : {m_header, m_trailer})
        connect(box, &QSpinBox::valueChanged, this, &ArrayFields::follow);
    connect(m_codeOffset, &QDoubleSpinBox::valueChanged, this, &ArrayFields::follow);
    setArrays({});
}

void ArrayFields::setArrays(const QStringList& names) {
    m_filling = true;
    m_headerless = names.isEmpty();
    fillArrays(m_array, names);
    m_filling = false;
    showWhatApplies();
}

ArrayFormValues ArrayFields::values() const {
    ArrayFormValues values{.array = m_array->currentData().toString(),
                           .type = m_type->currentData().toString(),
                           .bigEndian = m_order->currentData().toBool(),
                           .headerBytes = m_header->value(),
                           .trailerBytes = m_trailer->value(),
                           .codeOffset = m_codeOffset->value()};
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const ArrayFormAxis axis{m_axes[i].role->currentData().toString(), m_axes[i].size->value()};
        if (m_headerless ? axis.role != "none" : i < m_shownAxes) values.axes.push_back(axis);
    }
    return values;
}

void ArrayFields::setValues(const ArrayFormValues& values) {
    m_filling = true;
    choose(m_array, values.array);
    choose(m_type, values.type);
    choose(m_order, values.bigEndian);
    m_header->setValue(values.headerBytes);
    m_trailer->setValue(values.trailerBytes);
    m_codeOffset->setValue(values.codeOffset);
    m_shownAxes = std::min<std::size_t>(values.axes.size(), kMostAxes);
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const ArrayFormAxis axis = i < values.axes.size() ? values.axes[i] : ArrayFormAxis{};
        choose(m_axes[i].role, axis.role);
        m_axes[i].size->setValue(axis.size);
    }
    m_filling = false;
    showWhatApplies();
}

bool ArrayFields::hasAxis(const QString& role) const {
    return std::ranges::any_of(
        m_axes, [&](const AxisRow& axis) { return axis.role->currentData().toString() == role; });
}

void ArrayFields::follow() {
    if (m_filling) return;
    showWhatApplies();
    emit changed();
}

void ArrayFields::showWhatApplies() {
    for (QWidget* field : std::initializer_list<QWidget*>{m_type, m_order, m_header, m_trailer})
        setRowVisible(field, m_headerless);
    setRowVisible(m_array, !m_headerless && m_array->count() > 1);
    m_order->setEnabled(!m_type->currentData().toString().endsWith("8"));
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const bool none = m_axes[i].role->currentData().toString() == "none";
        setRowVisible(m_axes[i].role, m_headerless || i < m_shownAxes);
        m_axes[i].size->setEnabled(m_headerless && !none);
    }
}

} // namespace echolux
