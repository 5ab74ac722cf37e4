// SPDX-License-Identifier: GPL-3.0-or-later
// One parameter's controls, made from its table row.
#pragma once

#include "gpu/stage/param_table.hpp"

#include <QStringList>
#include <QWidget>

namespace echolux {

/// Widths shared by all rows, so that labels, sliders and numbers form columns.
struct RowColumns {
    int labelWidth = 112;
};

class ParamEditor : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    virtual void setValue(const ParamValue& value) = 0; ///< without a signal
    virtual ParamValue value() const = 0;
    /// The default, where the editor can mark it.
    virtual void setDefault(const ParamValue&) {}
    /// What the choice `id` is called from now on; nothing for other editors.
    virtual void setChoiceLabel(const QString&, const QString&) {}
    /// What a slider spans, in SI; what is typed may lie anywhere in the row's range.
    virtual void setSliderRange(double, double) {}
    /// True: the editor brings its own label and spans all columns.
    virtual bool spansLabel() const { return false; }
    virtual void setInvalid(bool invalid) = 0;
    /// Where keys go that change the value: the focus proxy, or the first control that Tab reaches.
    /// Null where there is none at present.
    QWidget* control() const;

signals:
    void edited(const echolux::ParamValue& value);
    void noted(const QString& sentence);
    void defaultRequested();
    void controlsChanged(); ///< controls were added
};

/// `items` names the entries of a mask or list where they depend on the data ("-10.0 deg"); it may
/// be empty.
ParamEditor* makeParamEditor(const ParamRow& row, const QStringList& items,
                             const RowColumns& columns, QWidget* parent);

} // namespace echolux
