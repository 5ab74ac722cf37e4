// SPDX-License-Identifier: GPL-3.0-or-later
// A number box without buttons that takes units of the same kind.
#pragma once

#include <QDoubleSpinBox>
#include <QString>
#include <QValidator>

#include <optional>

namespace echolux {

/// A field of a dialog. It reads what is typed as fields of parameters do (gpu/core/quantity.hpp):
/// a number without a unit counts in the unit of the suffix, "5.9 km/s" or "600 um" is converted.
/// What cannot be read and what lies beyond the range is not taken: the value stays, and a note at
/// the field says why. A value counts once it is whole: with Return, or when the field is left.
class QuantityBox : public QDoubleSpinBox {
    Q_OBJECT
public:
    /// `unit`: the suffix, empty for plain numbers.
    QuantityBox(const QString& unit, QWidget* parent);
    /// Zeros at the end are not shown.
    void omitTrailingZeros() { m_omitsZeros = true; }

    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
    void fixup(QString& text) const override;

signals:
    /// A full sentence: why a text was not taken.
    void refused(const QString& sentence) const;

private:
    struct Reading {
        std::optional<double> value; ///< in the unit of the suffix
        QString problem;             ///< continues "was not taken: "
    };
    /// `text` without the suffix.
    QString typed(const QString& text) const;
    Reading read(const QString& text) const;

    bool m_omitsZeros = false;
};

} // namespace echolux
