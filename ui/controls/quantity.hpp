// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a typed number, with or without a unit, with a decimal point or comma.
#pragma once

#include <QString>

#include <optional>

namespace echolux {

struct Quantity {
    std::optional<double> value; ///< in SI units; empty where the text cannot be read
    QString problem;             ///< the reason in that case; continues "was not taken: "
};

/// Unit of a number.
struct QuantityUnit {
    QString si;              ///< "m/s", "Hz"; empty for plain numbers
    QString shown;           ///< "MHz": assumed where no unit is typed
    double shownPerSi = 1.0; ///< 1e-6
};

/// Converts units of the same kind ("1.5 km/s", "10 us", "300 kHz"). A comma before three final
/// digits is ambiguous and refused; any other single comma is a decimal comma.
Quantity readQuantity(const QString& typed, const QuantityUnit& unit);

/// SI units `si` per unit `typed`; empty where they are of different kinds.
std::optional<double> unitFactor(const QString& typed, const QString& si);

} // namespace echolux
