// SPDX-License-Identifier: GPL-3.0-or-later
// Look-ups in MATLAB values.
#include "app/dataset/container/mat_value.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace echolux {

bool equalsIgnoringCase(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) ==
               std::tolower(static_cast<unsigned char>(y));
    });
}

bool startsIgnoringCase(std::string_view text, std::string_view start) {
    return text.size() >= start.size() && equalsIgnoringCase(text.substr(0, start.size()), start);
}

std::int64_t MatValue::count() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : dims) product *= extent;
    return product;
}

const MatValue* MatValue::field(std::string_view name) const {
    for (const auto& [key, value] : fields)
        if (equalsIgnoringCase(key, name)) return &value;
    return nullptr;
}

std::size_t MatValue::structs() const {
    return kind == Kind::Struct && !fields.empty() ? 1 + others.size() : 0;
}

std::vector<double> MatValue::numbers() const {
    return kind == Kind::Numeric ? toDoubles(type, bytes) : std::vector<double>{};
}

std::string MatValue::describe() const {
    switch (kind) {
    case Kind::Numeric: return fmt::format("{} ({})", fmt::join(dims, " x "), inWords(type));
    case Kind::Text: return "text";
    case Kind::Struct:
        return others.empty() ? "struct" : fmt::format("struct array of {}", structs());
    case Kind::Cell: return fmt::format("cell array ({})", fmt::join(dims, " x "));
    case Kind::Other: break;
    }
    return "neither a number nor a struct";
}

} // namespace echolux
