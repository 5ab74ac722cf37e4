// SPDX-License-Identifier: GPL-3.0-or-later
// The controls of one parameter, created from its table row.
#pragma once

#include "gpu/stage/param_table.hpp"

#include <QStringList>
#include <QWidget>

namespace echolux {

/// Widths that all rows share, so that labels, sliders and numbers form columns.
struct RowColumns {
    int labelWidth = 112;
};

class ParamEditor : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    virtual void setValue(const ParamValue& value) = 0; ///< emits no signal
    virtual ParamValue value() const = 0;
    /// Marks the default, where the editor can.
    virtual void setDefault(const ParamValue&) {}
    /// Renames the choice `id`. Does nothing in other editors.
    virtual void setChoiceLabel(const QString&, const QString&) {}
    /// Range of the slider in SI units. A typed value may lie anywhere in the row's range.
    virtual void setSliderRange(double, double) {}
    /// True: the editor has its own label and spans all columns.
    virtual bool spansLabel() const { return false; }
    virtual void setInvalid(bool invalid) = 0;
    /// The widget that receives keys that change the value: the focus proxy, or the first control
    /// in Tab order. Null where there is none at present.
    QWidget* control() const;

signals:
    void edited(const echolux::ParamValue& value);
    void noted(const QString& sentence);
    void defaultRequested();
    void controlsChanged(); ///< controls were added
};

/// `items`: names of the entries of a mask or list where they depend on the data ("-10.0 deg"); may
/// be empty.
ParamEditor* makeParamEditor(const ParamRow& row, const QStringList& items,
                             const RowColumns& columns, QWidget* parent);

} // namespace echolux
