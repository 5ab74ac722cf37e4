// SPDX-License-Identifier: GPL-3.0-or-later
// Editor of a list of reals with one slider per entry. A list of free length can also be typed or
// pasted as text. Long lists show their sliders on demand.
#pragma once

#include "ui/parameters/number_editor.hpp"
#include "ui/parameters/param_editor.hpp"

#include <vector>

class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace echolux {

class ListEditor : public ParamEditor {
    Q_OBJECT
public:
    ListEditor(const ParamRow& row, const QStringList& items, const RowColumns& columns,
               QWidget* parent = nullptr);
    void setValue(const ParamValue& value) override;
    ParamValue value() const override { return m_values; }
    void setDefault(const ParamValue& value) override;
    void setInvalid(bool invalid) override;
    bool spansLabel() const override { return true; }
    NumberEditor* entry(int index) const { return m_entries.at(static_cast<std::size_t>(index)); }
    QLineEdit* textLine() const { return m_text; }

private:
    void buildEntries();
    void showText();
    void takeText();
    QString entryLabel(std::size_t index) const;

    const ParamRow m_row;
    ParamRow m_entryRow;
    QStringList m_items;
    RowColumns m_columns;
    std::vector<double> m_values;
    std::vector<double> m_defaults;
    std::vector<NumberEditor*> m_entries;
    QLineEdit* m_text = nullptr;
    QToolButton* m_unfold = nullptr;
    QWidget* m_body;
    QVBoxLayout* m_bodyLayout;
};

} // namespace echolux
