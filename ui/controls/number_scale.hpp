// SPDX-License-Identifier: GPL-3.0-or-later
// How a number of a parameter table is shown and moved: display unit, digits, slider position,
// steps, limits. Values are in the row's SI unit, texts in its display unit.
#pragma once

#include "gpu/stage/param_table.hpp"
#include "ui/controls/quantity.hpp"

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
    /// What the slider spans, within the limits; at first all of them.
    void setSliderRange(double from, double to);
    QString unit() const { return m_unit; }

    /// Place on the slider, 0 to 1.
    double position(double value) const;
    /// The allowed value nearest to that place: a multiple of the step, or three significant digits
    /// on a logarithmic slider.
    double valueAt(double position) const;
    /// `steps` steps up (down if negative). Fine steps are a tenth as long; whole numbers have none
    /// shorter than 1 (odd ones than 2). Logarithmic sliders take 1/100 of their length per step.
    double stepped(double value, double steps, bool fine) const;
    /// Within the limits; whole or odd where the row asks for it. NaN becomes the minimum.
    double clamped(double value) const;

    QString text(double value) const; ///< digits without the unit
    /// Reads a number with or without a unit; it may lie out of range.
    Quantity read(const QString& typed) const { return readQuantity(typed, m_quantity); }
    /// What becomes of typed text.
    struct Taken {
        std::optional<double> value; ///< within the limits; nothing where it cannot be read
        QString note;                ///< a full sentence where that is not what was typed
    };
    /// `kept` says what stays where it cannot be read: "the value stays at 2.5 MHz".
    Taken take(const QString& typed, const QString& kept) const;
    QString textWithUnit(double value) const;
    QString rangeText() const; ///< "0.5 to 7.5 MHz"
    ParamValue toParam(double value) const;

private:
    QString digits(double shown, int decimals) const;

    double m_min, m_max, m_step, m_factor;
    double m_from, m_to; ///< of the slider
    bool m_whole, m_odd, m_log;
    int m_decimals; ///< that a multiple of the step needs
    QString m_unit;
    QuantityUnit m_quantity;
};

/// The number in a Real or Integer value; 0 for other types.
double numberOf(const ParamValue& value);

} // namespace echolux
