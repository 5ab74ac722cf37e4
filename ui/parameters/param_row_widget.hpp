// SPDX-License-Identifier: GPL-3.0-or-later
// One row of the parameter panel: label, editor, reset dot, and an error below where a value was
// refused.
#pragma once

#include "ui/parameters/param_editor.hpp"

#include <QWidget>

class QLabel;

namespace echolux {

class ResetDot;

class ParamRowWidget : public QWidget {
    Q_OBJECT
public:
    ParamRowWidget(const QString& owner, const ParamRow& row, const QStringList& items,
                   const RowColumns& columns, QWidget* parent = nullptr);
    QString key() const { return m_key; }
    ParamEditor* editor() const { return m_editor; }
    ResetDot* dot() const { return m_dot; }
    const ParamCondition& onlyWith() const { return m_row.onlyWith; }
    const ParamValue& value() const { return m_value; }
    QString valueText() const;              ///< with its unit
    void setValue(const ParamValue& value); ///< emits no signal
    void setDefault(const ParamValue& value);
    bool differs() const; ///< from the default
    void resetToDefault();
    void setError(const QString& sentence); ///< empty: no error
    QString error() const;
    QString note() const;
    /// True where label, key or help contains `needle`.
    bool matches(const QString& needle) const;

signals:
    void edited(const QString& key, const echolux::ParamValue& value);
    void controlsChanged();

private:
    void showState();
    void showToolTips();
    void setNote(const QString& sentence);

    const ParamRow m_row;
    QString m_key;
    QString m_searchText;
    ParamValue m_value;
    ParamValue m_default;
    ParamEditor* m_editor;
    ResetDot* m_dot;
    QLabel* m_note; ///< note on typed text, until the next edit
    QLabel* m_error;
};

} // namespace echolux
