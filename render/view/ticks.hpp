// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks at round numbers: steps of 1, 2 or 5 times a power of ten.
#pragma once

#include <string>
#include <vector>

namespace echolux {

struct Ticks {
    double step = 0.0;         ///< distance of major ticks; 0 where the range holds none
    std::vector<double> major; ///< ascending multiples of step within the range
    std::vector<double> minor; ///< between them, a fifth (a quarter for steps of 2) of step apart
    int decimals = 0;          ///< number of decimals that exact labels need

    std::string label(double value) const; ///< with a true minus sign, never "-0"
};

/// Ticks for [min, max], with major ticks at least `minStep` apart. Empty where min >= max or a
/// bound is not finite.
Ticks makeTicks(double min, double max, double minStep);

/// The largest number of the form 1, 2 or 5 times a power of ten that is at most `value` (> 0).
double roundDown(double value);

/// A number with `decimals` digits, a true minus sign (U+2212, UTF-8), and no sign before zero.
std::string formatNumber(double value, int decimals);

} // namespace echolux
