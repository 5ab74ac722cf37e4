// SPDX-License-Identifier: GPL-3.0-or-later
// Reads lists of numbers, and counts the numbers of a span.
#include "app/commands/number_span.hpp"

#include <charconv>
#include <cmath>

namespace echolux {

std::optional<std::vector<double>> numbersIn(const std::string& text, char separator) {
    std::vector<double> numbers;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
        if (at != end && *at == '+') ++at;
        double value = 0.0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
        numbers.push_back(value);
        if (next == end) return numbers;
        if (*next != separator) return std::nullopt;
        at = next + 1;
    }
}

bool NumberSpan::arrives() const { return step != 0.0 && (last - first) / step >= 0.0; }

double NumberSpan::count() const {
    constexpr double kRounding = 1e-9;
    return std::floor((last - first) / step + kRounding) + 1.0;
}

} // namespace echolux
