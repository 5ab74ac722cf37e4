// SPDX-License-Identifier: GPL-3.0-or-later
// Editors with one control: switch (Flag), combo box (Choice), line of text (Text).
#pragma once

#include "ui/parameters/param_editor.hpp"

class QLineEdit;

namespace echolux {

class ComboBox;
class ToggleSwitch;

class FlagEditor : public ParamEditor {
    Q_OBJECT
public:
    explicit FlagEditor(QWidget* parent = nullptr);
    void setValue(const ParamValue& value) override;
    ParamValue value() const override;
    void setInvalid(bool) override {}
    ToggleSwitch* control() const { return m_switch; }

private:
    ToggleSwitch* m_switch;
};

class ChoiceEditor : public ParamEditor {
    Q_OBJECT
public:
    explicit ChoiceEditor(const ParamRow& row, QWidget* parent = nullptr);
    void setValue(const ParamValue& value) override;
    ParamValue value() const override;
    void setChoiceLabel(const QString& id, const QString& label) override;
    void setInvalid(bool invalid) override;
    ComboBox* control() const { return m_combo; }

private:
    ComboBox* m_combo;
};

class TextEditor : public ParamEditor {
    Q_OBJECT
public:
    explicit TextEditor(QWidget* parent = nullptr);
    void setValue(const ParamValue& value) override;
    ParamValue value() const override;
    void setInvalid(bool invalid) override;
    QLineEdit* control() const { return m_line; }

private:
    QLineEdit* m_line;
    QString m_value;
};

} // namespace echolux
