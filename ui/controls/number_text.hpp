// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people read them: a true minus sign (U+2212), powers of ten with raised digits.
#pragma once

#include <QString>

namespace echolux {

/// `decimals` digits after the point; no sign before zero.
QString numberText(double value, int decimals);
/// `digits` digits in all, as a power of ten where the number is very large or small.
QString significantText(double value, int digits);
/// The same characters for a number that C wrote: "-1.2e-05" becomes "−1.2·10⁻⁵".
QString withTrueSigns(const QString& number);

} // namespace echolux
