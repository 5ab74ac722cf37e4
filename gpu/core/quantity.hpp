// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a typed number, with or without a unit, with a decimal point or comma.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

struct Quantity {
    std::optional<double> value; ///< in SI units; empty where the text cannot be read
    std::string problem;         ///< the reason in that case; continues "was not taken: "
};

/// Unit of a number.
struct QuantityUnit {
    std::string si;          ///< "m/s", "Hz"; empty for plain numbers
    std::string shown;       ///< "MHz": assumed where no unit is typed
    double shownPerSi = 1.0; ///< 1e-6
};

/// Converts units of the same kind ("1.5 km/s", "10 us", "300 kHz"). A comma before three final
/// digits is ambiguous and refused; any other single comma is a decimal comma. Texts are UTF-8.
Quantity readQuantity(std::string_view typed, const QuantityUnit& unit);

/// A number, numbers separated by commas, or first:last:step, each with or without a unit. Empty
/// for other texts and for more than 4096 numbers.
std::optional<std::vector<double>> readQuantities(std::string_view typed, const QuantityUnit& unit);

/// SI units `si` per unit `typed`; empty where they are of different kinds.
std::optional<double> unitFactor(std::string_view typed, std::string_view si);

} // namespace echolux
