// SPDX-License-Identifier: GPL-3.0-or-later
// Switch, combo box and text line of a parameter.
#include "ui/parameters/simple_editors.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/controls/number_field.hpp"
#include "ui/controls/small_buttons.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QLineEdit>

namespace echolux {
namespace {

QHBoxLayout* rowLayout(QWidget* parent) {
    auto* layout = new QHBoxLayout(parent);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    return layout;
}

} // namespace

FlagEditor::FlagEditor(QWidget* parent) : ParamEditor(parent), m_switch(new ToggleSwitch(this)) {
    auto* layout = rowLayout(this);
    layout->addWidget(m_switch);
    layout->addStretch(1);
    connect(m_switch, &ToggleSwitch::clicked, this, [this](bool on) { emit edited(on); });
}

void FlagEditor::setValue(const ParamValue& value) {
    const bool* on = std::get_if<bool>(&value);
    m_switch->setChecked(on != nullptr && *on);
}

ParamValue FlagEditor::value() const { return m_switch->isChecked(); }

ChoiceEditor::ChoiceEditor(const ParamRow& row, QWidget* parent)
    : ParamEditor(parent), m_combo(new ComboBox(this)) {
    rowLayout(this)->addWidget(m_combo, 1);
    m_combo->setAccessibleName(QString::fromStdString(row.label));
    for (const ParamChoice& choice : row.choices) {
        m_combo->addItem(QString::fromStdString(choice.label), QString::fromStdString(choice.id));
    }
    connect(m_combo, &QComboBox::activated, this, [this] { emit edited(value()); });
}

void ChoiceEditor::setValue(const ParamValue& value) {
    const auto* id = std::get_if<std::string>(&value);
    m_combo->setCurrentIndex(id == nullptr ? -1 : m_combo->findData(QString::fromStdString(*id)));
}

ParamValue ChoiceEditor::value() const { return m_combo->currentData().toString().toStdString(); }

void ChoiceEditor::setChoiceLabel(const QString& id, const QString& label) {
    const int at = m_combo->findData(id);
    if (at >= 0) m_combo->setItemText(at, label);
}

void ChoiceEditor::setInvalid(bool invalid) { setFieldState(m_combo, invalid ? "error" : ""); }

TextEditor::TextEditor(QWidget* parent) : ParamEditor(parent), m_line(new QLineEdit(this)) {
    m_line->setFixedHeight(3 * kGrid);
    rowLayout(this)->addWidget(m_line, 1);
    connect(m_line, &QLineEdit::editingFinished, this, [this] {
        if (m_line->text() == m_value) return;
        m_value = m_line->text();
        emit edited(value());
    });
    connect(m_line, &QLineEdit::returnPressed, m_line, &QWidget::clearFocus);
}

void TextEditor::setValue(const ParamValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    m_value = text == nullptr ? QString() : QString::fromStdString(*text);
    m_line->setText(m_value);
}

ParamValue TextEditor::value() const { return m_line->text().toStdString(); }

void TextEditor::setInvalid(bool invalid) { setFieldState(m_line, invalid ? "error" : ""); }

} // namespace echolux
