// SPDX-License-Identifier: GPL-3.0-or-later
// How a number of a parameter table is shown and changed: display unit, digits, slider position,
// steps, limits. Values are in the row's SI unit, texts in its display unit.
#pragma once

#include "gpu/core/quantity.hpp"
#include "gpu/stage/param_table.hpp"

#include <QString>

#include <optional>

namespace echolux {

class NumberScale {
public:
    explicit NumberScale(const ParamRow& row);

    bool whole() const { return m_whole; }
    bool logarithmic() const { return m_log; }
    double min() const { return m_min; }
    double max() const { return m_max; }
    /// Range of the slider, within the limits; initially all of them.
    void setSliderRange(double from, double to);
    QString unit() const { return m_unit; }

    /// Position on the slider, 0 to 1.
    double position(double value) const;
    /// The allowed value nearest to a position: a multiple of the step, or a value of three
    /// significant digits on a logarithmic slider.
    double valueAt(double position) const;
    /// The value after `steps` steps up (down if negative). A fine step is a tenth of a step, but
    /// at least 1 for whole numbers and 2 for odd ones. On a logarithmic slider a step is 1/100 of
    /// its length.
    double stepped(double value, double steps, bool fine) const;
    /// The nearest value within the limits; whole or odd where the row requires it. NaN becomes the
    /// minimum.
    double clamped(double value) const;

    QString text(double value) const; ///< digits without the unit
    /// Reads a number with or without a unit. It may be out of range.
    Quantity read(const QString& typed) const {
        return readQuantity(typed.toStdString(), m_quantity);
    }
    /// Result of typed text.
    struct Taken {
        std::optional<double> value; ///< within the limits; empty where the text cannot be read
        QString note;                ///< a full sentence where the value differs from the text
    };
    /// `kept`: says which value stays where the text cannot be read: "the value stays at 2.5 MHz".
    Taken take(const QString& typed, const QString& kept) const;
    QString textWithUnit(double value) const;
    QString rangeText() const; ///< "0.5 to 7.5 MHz"
    ParamValue toParam(double value) const;

private:
    QString digits(double shown, int decimals) const;

    double m_min, m_max, m_step, m_factor;
    double m_from, m_to; ///< range of the slider
    bool m_whole, m_odd, m_log;
    int m_decimals; ///< decimals of a multiple of the step
    QString m_unit;
    QuantityUnit m_quantity;
};

/// The number in a Real or Integer value; 0 for other types.
double numberOf(const ParamValue& value);

} // namespace echolux
