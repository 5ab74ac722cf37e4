// SPDX-License-Identifier: GPL-3.0-or-later
// Text in tables of figures.
#pragma once

#include <string>

namespace echolux {

/// In quotes, as a field of a CSV file.
inline std::string csvText(const std::string& text) {
    std::string field = "\"";
    for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
    return field + '"';
}

} // namespace echolux
