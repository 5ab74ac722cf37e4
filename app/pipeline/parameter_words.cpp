// SPDX-License-Identifier: GPL-3.0-or-later
// One word per kind of value, and values as texts.
#include "app/pipeline/parameter_words.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/quantity.hpp"
#include "gpu/stage/stage.hpp"

#include <fmt/format.h>

#include <optional>
#include <regex>

namespace echolux {
namespace {

/// The value of a number with its unit, such as "1.5 km/s", in the SI unit of the row. Nothing
/// where it has no unit, or where the row takes no number.
std::optional<double> withUnit(const std::string& owner, const ParamRow& row,
                               const std::string& text) {
    const bool takesNumber = row.type == ParamType::Real || row.type == ParamType::Integer;
    static const std::regex kNumberAndUnit(
        R"(\s*[+-]?(\d[\d.]*|\.\d+)([eE][+-]?\d+)?\s*[^\d\s.,eE+-].*)");
    constexpr std::size_t kMostLetters = 256; // std::regex recurs for each
    if (!takesNumber || text.size() > kMostLetters || !std::regex_match(text, kNumberAndUnit))
        return std::nullopt;
    const Quantity read = readQuantity(text, {row.unit, row.shownUnit(), row.displayFactor});
    if (read.value) return read.value;
    throw Error(fmt::format("Stage '{}': parameter '{}' cannot be '{}': {}; give a number in {}.",
                            owner, row.key, text, read.problem,
                            row.unit.empty() ? "digits alone" : row.unit));
}

} // namespace

std::string_view nameOf(ParamType type) {
    switch (type) {
    case ParamType::Flag: return "flag";
    case ParamType::Integer: return "integer";
    case ParamType::Real: return "real";
    case ParamType::Choice: return "choice";
    case ParamType::Text: return "text";
    case ParamType::RealList: return "list of reals";
    case ParamType::Mask: return "mask";
    }
    return "unknown";
}

ParamValue valueFromText(const std::string& owner, const StageType& type, const std::string& key,
                         const std::string& text) {
    Params checked(type.table);
    if (const ParamRow* row = checked.table().find(key)) {
        const std::optional<double> quantity = withUnit(owner, *row, text);
        checked.set(owner, key,
                    quantity ? ParamValue(*quantity) : ParamTable::parse(owner, *row, text));
    } else {
        checked.set(owner, key, false); // throws, with the names of the existing keys
    }
    return checked.get(key);
}

} // namespace echolux
