// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers for display: a true minus sign (U+2212), powers of ten with raised digits.
#pragma once

#include <QString>

namespace echolux {

/// `decimals` digits after the point. Zero has no sign.
QString numberText(double value, int decimals);
/// `digits` significant digits; a power of ten where the number is very large or small.
QString significantText(double value, int digits);
/// Parts the digits before the point into groups of three, by thin spaces. `number` has no sign.
QString groupedText(QString number);
/// Converts a number that C printed: "-1.2e-05" becomes "−1.2·10⁻⁵".
QString withTrueSigns(const QString& number);

} // namespace echolux
