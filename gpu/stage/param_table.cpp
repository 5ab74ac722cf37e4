// SPDX-License-Identifier: GPL-3.0-or-later
// Validation and text of parameter values.
#include "gpu/stage/param_table.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/nearest_word.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace echolux {
namespace {

std::string rangeText(const ParamRow& row) {
    const std::string unit = row.unit.empty() ? "" : " " + row.unit;
    return fmt::format("{:g} to {:g}{}", row.min, row.max, unit);
}

[[noreturn]] void refuse(std::string_view owner, const ParamRow& row, const ParamValue& value,
                         const std::string& wanted) {
    throw Error(fmt::format("{}: parameter '{}' cannot be {}: {}.", owner, row.key,
                            ParamTable::format(value), wanted));
}

double asReal(std::string_view owner, const ParamRow& row, const ParamValue& value) {
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    refuse(owner, row, value, "give a number");
}

void checkRange(std::string_view owner, const ParamRow& row, double number,
                const ParamValue& value) {
    if (!(number >= row.min && number <= row.max)) {
        refuse(owner, row, value, "choose a value in the range " + rangeText(row));
    }
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

double parseNumber(std::string_view owner, const ParamRow& row, std::string_view text) {
    text = trimmed(text);
    double number = 0.0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size()) {
        refuse(owner, row, std::string(text), "give a number in the range " + rangeText(row));
    }
    return number;
}

ParamValue validatedMask(std::string_view owner, const ParamRow& row, const ParamValue& value) {
    const auto* word = std::get_if<std::string>(&value);
    const auto* list = std::get_if<std::vector<double>>(&value);
    if (list == nullptr && (word == nullptr || !Mask::isWord(*word))) {
        refuse(owner, row, value,
               fmt::format("choose one of {}, or give a list with 0 or 1 for each",
                           fmt::join(Mask::kWords, ", ")));
    }
    if (list != nullptr)
        for (const double entry : *list) checkRange(owner, row, entry, value);
    return toValue(toMask(value));
}

/// A field of a parameter struct, `place` bytes from its beginning.
template <class T, class Struct> T& fieldAt(Struct* of, std::size_t place) {
    using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
    return *reinterpret_cast<T*>(static_cast<Byte*>(of) + place);
}

std::size_t choiceNumber(const ParamRow& row, const void* from) {
    static_assert(std::endian::native == std::endian::little);
    std::size_t number = 0;
    std::memcpy(&number, static_cast<const std::byte*>(from) + row.place, row.bytes);
    return number;
}

void writeChoice(const ParamRow& row, void* to, const std::string& id) {
    const auto found = std::ranges::find(row.choices, id, &ParamChoice::id);
    if (found == row.choices.end()) return;
    const auto number = static_cast<std::size_t>(found - row.choices.begin());
    std::memcpy(static_cast<std::byte*>(to) + row.place, &number, row.bytes);
}

} // namespace

ParamValue toValue(const Mask& mask) {
    return mask.word.empty() ? ParamValue(mask.entries) : ParamValue(mask.word);
}

Mask toMask(const ParamValue& value) {
    if (const auto* word = std::get_if<std::string>(&value)) return {*word, {}};
    const auto& list = std::get<std::vector<double>>(value);
    return list.empty() ? Mask() : Mask{{}, list};
}

ParamValue ParamRow::read(const void* from) const {
    switch (type) {
    case ParamType::Flag: return fieldAt<const bool>(from, place);
    case ParamType::Integer: return fieldAt<const std::int64_t>(from, place);
    case ParamType::Real: return fieldAt<const double>(from, place);
    case ParamType::Choice: return choices.at(choiceNumber(*this, from)).id;
    case ParamType::Text: return fieldAt<const std::string>(from, place);
    case ParamType::RealList: return fieldAt<const std::vector<double>>(from, place);
    case ParamType::Mask: return toValue(fieldAt<const Mask>(from, place));
    }
    throw std::logic_error("ParamRow: unknown type");
}

void ParamRow::write(void* to, const ParamValue& value) const {
    switch (type) {
    case ParamType::Flag: fieldAt<bool>(to, place) = std::get<bool>(value); return;
    case ParamType::Integer:
        fieldAt<std::int64_t>(to, place) = std::get<std::int64_t>(value);
        return;
    case ParamType::Real: fieldAt<double>(to, place) = std::get<double>(value); return;
    case ParamType::Choice: writeChoice(*this, to, std::get<std::string>(value)); return;
    case ParamType::Text: fieldAt<std::string>(to, place) = std::get<std::string>(value); return;
    case ParamType::RealList:
        fieldAt<std::vector<double>>(to, place) = std::get<std::vector<double>>(value);
        return;
    case ParamType::Mask: fieldAt<Mask>(to, place) = toMask(value); return;
    }
}

void ParamTable::add(ParamRow row) { m_rows.push_back(std::move(row)); }

const ParamRow* ParamTable::find(std::string_view key) const {
    const auto at = std::ranges::find(m_rows, key, &ParamRow::key);
    return at == m_rows.end() ? nullptr : &*at;
}

ParamValue ParamTable::validated(std::string_view owner, const ParamRow& row,
                                 ParamValue value) const {
    switch (row.type) {
    case ParamType::Flag:
        if (!std::holds_alternative<bool>(value)) refuse(owner, row, value, "give true or false");
        return value;
    case ParamType::Real: {
        const double number = asReal(owner, row, value);
        checkRange(owner, row, number, value);
        return number;
    }
    case ParamType::Integer: {
        const double number = asReal(owner, row, value);
        checkRange(owner, row, number, value);
        if (number != std::floor(number)) refuse(owner, row, value, "give a whole number");
        const auto whole = static_cast<std::int64_t>(number);
        if (row.oddOnly && whole % 2 == 0) refuse(owner, row, value, "give an odd number");
        return whole;
    }
    case ParamType::Choice: {
        std::vector<std::string> ids;
        for (const ParamChoice& choice : row.choices) ids.push_back(choice.id);
        const auto* id = std::get_if<std::string>(&value);
        if (id == nullptr || std::ranges::find(ids, *id) == ids.end()) {
            refuse(owner, row, value, fmt::format("choose one of {}", fmt::join(ids, ", ")));
        }
        return value;
    }
    case ParamType::Text:
        if (!std::holds_alternative<std::string>(value)) refuse(owner, row, value, "give a text");
        return value;
    case ParamType::Mask: return validatedMask(owner, row, value);
    case ParamType::RealList: {
        const auto* list = std::get_if<std::vector<double>>(&value);
        if (list == nullptr) refuse(owner, row, value, "give a list of numbers like [1, 2, 3]");
        if (!row.listLabels.empty() && list->size() != row.listLabels.size()) {
            refuse(owner, row, value, fmt::format("give {} numbers", row.listLabels.size()));
        }
        if (list->empty()) refuse(owner, row, value, "give at least one number");
        for (const double number : *list) checkRange(owner, row, number, value);
        return value;
    }
    }
    return value;
}

ParamValue ParamTable::parse(std::string_view owner, const ParamRow& row, std::string_view text) {
    text = trimmed(text);
    switch (row.type) {
    case ParamType::Flag:
        if (text == "true" || text == "1" || text == "on") return true;
        if (text == "false" || text == "0" || text == "off") return false;
        refuse(owner, row, std::string(text), "give true or false");
    case ParamType::Real:
    case ParamType::Integer: return parseNumber(owner, row, text);
    case ParamType::Choice:
    case ParamType::Text: return std::string(text);
    case ParamType::RealList:
    case ParamType::Mask: {
        const bool named =
            !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0;
        if (row.type == ParamType::Mask && named) return std::string(text);
        if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
        std::vector<double> list;
        while (!trimmed(text).empty()) {
            const auto comma = text.find(',');
            list.push_back(parseNumber(owner, row, text.substr(0, comma)));
            text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
        }
        return list;
    }
    }
    return std::string(text);
}

std::string ParamTable::format(const ParamValue& value) {
    struct Formatter {
        std::string operator()(bool flag) const { return flag ? "true" : "false"; }
        std::string operator()(std::int64_t whole) const { return std::to_string(whole); }
        std::string operator()(double real) const { return fmt::format("{}", real); }
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(const std::vector<double>& list) const {
            return fmt::format("[{}]", fmt::join(list, ", "));
        }
    };
    return std::visit(Formatter{}, value);
}

Params::Params(const ParamTable& table) : m_table(&table), m_data(table.m_create()) {}

Params::Params(const Params& other)
    : m_table(other.m_table),
      m_data(other.m_data ? other.m_table->m_clone(other.m_data.get()) : nullptr) {}

Params& Params::operator=(const Params& other) {
    if (this != &other) *this = Params(other);
    return *this;
}

ParamValue Params::get(std::string_view key) const {
    const ParamRow* row = m_table->find(key);
    if (row == nullptr) throw Error(fmt::format("There is no parameter '{}'.", key));
    return row->read(m_data.get());
}

std::optional<double> Params::real(std::string_view key) const {
    const ParamRow* row = m_table->find(key);
    if (row == nullptr || row->type != ParamType::Real) return std::nullopt;
    return std::get<double>(row->read(m_data.get()));
}

bool Params::holds(const ParamCondition& condition) const {
    const ParamRow* row = m_table->find(condition.key);
    return row != nullptr && row->read(m_data.get()) == ParamValue(condition.id);
}

void Params::set(std::string_view owner, std::string_view key, const ParamValue& value) {
    const ParamRow* row = m_table->find(key);
    if (row == nullptr) {
        std::vector<std::string> keys;
        for (const ParamRow& each : m_table->rows()) keys.push_back(each.key);
        throw Error(
            fmt::format("{}: there is no parameter '{}'{}; {}.", owner, key, didYouMean(key, keys),
                        keys.empty() ? "this stage has none"
                                     : fmt::format("choose one of {}", fmt::join(keys, ", "))));
    }
    row->write(m_data.get(), m_table->validated(owner, *row, value));
}

bool Params::operator==(const Params& other) const {
    if (m_table != other.m_table) return false;
    if (m_table == nullptr) return true;
    return std::ranges::all_of(m_table->rows(), [&](const ParamRow& row) {
        return row.read(m_data.get()) == row.read(other.m_data.get());
    });
}

const void* Params::checked(const std::type_info& type) const {
    if (m_table == nullptr || *m_table->m_type != type) {
        throw std::logic_error("parameter struct read as another type");
    }
    return m_data.get();
}

} // namespace echolux
