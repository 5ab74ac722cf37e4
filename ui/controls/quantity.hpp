// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what somebody typed where a number is wanted: with or without a unit, with a point or a
// comma.
#pragma once

#include <QString>

#include <optional>

namespace echolux {

struct Quantity {
    std::optional<double> value; ///< in SI; nothing where it cannot be read
    QString problem;             ///< then: why, as what follows "was not taken: "
};

/// What a number counts in.
struct QuantityUnit {
    QString si;              ///< "m/s", "Hz"; empty for plain numbers
    QString shown;           ///< "MHz": of numbers without a unit
    double shownPerSi = 1.0; ///< 1e-6
};

/// Units of the same kind are converted ("1.5 km/s", "10 us", "300 kHz"). A comma before three
/// digits at the end may be either separator and is refused; any other single comma is a decimal
/// one.
Quantity readQuantity(const QString& typed, const QuantityUnit& unit);

/// How many of the SI unit `si` one `typed` is; nothing where they are of different kinds.
std::optional<double> unitFactor(const QString& typed, const QString& si);

} // namespace echolux
