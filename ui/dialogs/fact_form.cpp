// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of facts in one or two columns.
#include "ui/dialogs/fact_form.hpp"

#include "ui/dialogs/axis_fields.hpp"
#include "ui/dialogs/form_parts.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSpinBox>

#include <limits>

namespace echolux {
namespace {

constexpr double kMostNumber = 1e9;

/// Digits without an exponent, as fields show them.
QString digitsOf(double value) { return QString::number(value, 'g', 12); }

} // namespace

FactForm::FactForm(const std::vector<FormRow>& rows, QWidget* parent)
    : QWidget(parent), m_array(makeChoice({}, this)) {
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(3 * kGrid);
    QStringList headings;
    for (const FormRow& row : rows)
        if (!headings.contains(row.heading)) headings << row.heading;
    QWidget* column = nullptr;
    for (qsizetype i = 0; i < headings.size(); ++i) {
        if (i < 2) { // the first heading has the left column, all others the right one
            column = new QWidget(this);
            makeFormGrid(column);
            columns->addWidget(column, 0, Qt::AlignTop);
        }
        auto* grid = qobject_cast<QGridLayout*>(column->layout());
        addHeading(grid, headings[i]);
        if (i == 0) addRow(grid, "Array", m_array);
        for (const FormRow& row : rows)
            if (row.heading == headings[i]) addField(row, column);
    }
    connect(m_array, &QComboBox::currentIndexChanged, this, &FactForm::follow);
    setArrays({});
}

void FactForm::addField(const FormRow& row, QWidget* column) {
    auto* grid = qobject_cast<QGridLayout*>(column->layout());
    if (row.kind == FormRow::Kind::Axes) {
        m_axes = new AxisFields(row.choices, column);
        grid->addWidget(m_axes, grid->rowCount(), 0, 1, 2);
        connect(m_axes, &AxisFields::changed, this, &FactForm::follow);
        return;
    }
    m_fields.push_back(fieldOf(row, column));
    QWidget* field = m_fields.back().widget;
    field->setFixedSize(kFormField, 3 * kGrid);
    field->setToolTip(row.toolTip);
    const bool isText = row.kind == FormRow::Kind::Text && !row.unit.isEmpty();
    addRow(grid, isText ? QString("%1 (%2)").arg(row.label, row.unit) : row.label, field);
}

FactForm::Field FactForm::fieldOf(const FormRow& row, QWidget* column) {
    using Kind = FormRow::Kind;
    if (row.kind == Kind::Number || row.kind == Kind::Place) {
        QDoubleSpinBox* box = row.kind == Kind::Place
                                  ? makePlace(kMostNumber, row.unit, column)
                                  : makeFact(kMostNumber, 0.0, row.unit, column);
        connect(box, &QDoubleSpinBox::valueChanged, this, &FactForm::follow);
        return {row.key, box,
                [box] {
                    const bool unknown = box->minimum() == 0.0 && box->value() == 0.0;
                    return unknown ? QString() : digitsOf(box->value());
                },
                [box](const QString& text) { box->setValue(text.toDouble()); }};
    }
    if (row.kind == Kind::Whole) {
        QSpinBox* box = makeCountBox(0, std::numeric_limits<int>::max(), 0, row.unit, column);
        connect(box, &QSpinBox::valueChanged, this, &FactForm::follow);
        return {row.key, box, [box] { return QString::number(box->value()); },
                [box](const QString& text) { box->setValue(text.toInt()); }};
    }
    if (row.kind == Kind::Choice) {
        QComboBox* box = makeChoice(row.choices, column);
        connect(box, &QComboBox::currentIndexChanged, this, &FactForm::follow);
        return {row.key, box, [box] { return box->currentData().toString(); },
                [box](const QString& id) {
                    if (box->findData(id) < 0 && !id.isEmpty()) box->addItem(id, id);
                    choose(box, id);
                }};
    }
    QLineEdit* edit = makeList({}, column);
    connect(edit, &QLineEdit::textChanged, this, &FactForm::follow);
    return {row.key, edit, [edit] { return edit->text().trimmed(); },
            [edit](const QString& text) { edit->setText(text); }};
}

void FactForm::setArrays(const QStringList& names) {
    m_filling = true;
    fillArrays(m_array, names);
    m_filling = false;
    setRowVisible(m_array, m_array->count() > 1);
    if (m_axes != nullptr) m_axes->setHeaderless(names.isEmpty());
}

FormValues FactForm::values() const {
    FormValues values{{"array", m_array->currentData().toString()}};
    for (const Field& field : m_fields) values[field.key] = field.text();
    if (m_axes != nullptr) {
        values["axes"] = m_axes->axes();
        values["shape"] = m_axes->shape();
    }
    return values;
}

void FactForm::setValues(const FormValues& values) {
    const FormValues before = this->values();
    m_filling = true;
    if (values.contains("array")) choose(m_array, values["array"]);
    for (const Field& field : m_fields)
        if (values.contains(field.key)) field.setText(values[field.key]);
    if (m_axes != nullptr && values.contains("axes"))
        m_axes->setAxes(values["axes"], values["shape"]);
    m_filling = false;
    if (this->values() != before) follow();
}

void FactForm::showOnly(const QSet<QString>& keys) {
    for (const Field& field : m_fields) setRowVisible(field.widget, keys.contains(field.key));
}

void FactForm::follow() {
    if (!m_filling) emit changed();
}

} // namespace echolux
