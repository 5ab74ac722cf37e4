// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that users type as a list or as a span.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// Finite numbers, one or more, with `separator` between them; a number may begin with "+". Null
/// where the text holds something else.
std::optional<std::vector<double>> numbersIn(const std::string& text, char separator);

/// first, first + step, ... up to last, as in "first:last:step".
struct NumberSpan {
    double first = 0.0;
    double last = 0.0;
    double step = 0.0;

    bool arrives() const; ///< the steps lead to `last`
    double count() const; ///< how many numbers; precondition: arrives()
    double at(double n) const { return first + n * step; }
};

} // namespace echolux
