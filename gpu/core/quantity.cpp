// SPDX-License-Identifier: GPL-3.0-or-later
// Digits, separators and units of typed numbers.
#include "gpu/core/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <regex>
#include <utility>

namespace echolux {
namespace {

/// The parts of `text` between the marks; at least one.
std::vector<std::string> partsOf(std::string_view text, char mark) {
    std::vector<std::string> parts(1);
    for (const char each : text)
        each == mark ? static_cast<void>(parts.emplace_back()) : parts.back().push_back(each);
    return parts;
}

/// With one spelling of each sign, and single spaces, but none at the ends.
std::string simplified(std::string text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kSpellings{
        {{"\u2212", "-"},
         {"\u00b5", "u"},
         {"\u03bc", "u"},
         {"\u00b0", "deg"},
         {"\u00a0", " "},
         {"\u202f", " "},
         {"\u2009", " "}}};
    for (const auto& [from, to] : kSpellings)
        for (auto at = text.find(from); at != std::string::npos; at = text.find(from))
            text.replace(at, from.size(), to);
    std::string words;
    for (const char each : text) {
        const bool space = each == ' ' || (each >= '\t' && each <= '\r');
        if (!space)
            words += each;
        else if (!words.empty() && words.back() != ' ')
            words += ' ';
    }
    if (words.ends_with(' ')) words.pop_back();
    return words;
}

std::string lower(std::string text) {
    for (char& each : text)
        if (each >= 'A' && each <= 'Z') each = static_cast<char>(each - 'A' + 'a');
    return text;
}

std::optional<double> prefixFactor(std::string_view prefix) {
    if (prefix.empty()) return 1.0;
    if (prefix.size() != 1) return std::nullopt;
    switch (prefix.front()) {
    case 'p': return 1e-12;
    case 'n': return 1e-9;
    case 'u': return 1e-6;
    case 'm': return 1e-3;
    case 'c': return 1e-2;
    case 'k':
    case 'K': return 1e3;
    case 'M': return 1e6;
    case 'G': return 1e9;
    default: return std::nullopt;
    }
}

/// One factor of a unit, such as the "km" of "km/s".
std::optional<double> partFactor(const std::string& typed, const std::string& si) {
    if (typed == si) return 1.0;
    if (si == "rad" && typed == "deg") return std::numbers::pi / 180.0;
    if (typed.empty() || si.empty() || si == "dB" || si == "px") return std::nullopt;
    const bool hertz = si == "Hz";
    if (hertz ? !lower(typed).ends_with("hz") : !typed.ends_with(si)) return std::nullopt;
    const std::string prefix = typed.substr(0, typed.size() - si.size());
    // Users who type "mHz" mean megahertz.
    return prefixFactor(hertz && prefix == "m" ? "M" : prefix);
}

bool grouped(std::string_view digits, char separator) {
    const std::vector<std::string> groups = partsOf(digits, separator);
    const auto isWhole = [](const std::string& group) {
        return std::ranges::all_of(group, [](char each) { return each >= '0' && each <= '9'; });
    };
    return groups.size() > 1 && !groups[0].empty() && groups[0].size() <= 3 &&
           std::ranges::all_of(groups, isWhole) &&
           std::all_of(groups.begin() + 1, groups.end(),
                       [](const std::string& group) { return group.size() == 3; });
}

struct Digits {
    std::string text; ///< with a point and no other separator
    std::string problem;
};

std::string with(std::string text, char from, char to) {
    std::ranges::replace(text, from, to);
    return text;
}

/// `typed`: digits, points, commas and single spaces.
Digits plainDigits(std::string typed) {
    Digits none{{}, "it is no number"};
    if (typed.find(' ') != std::string::npos) {
        if (!grouped(typed.substr(0, typed.find_first_of(".,")), ' ')) return none;
        std::erase(typed, ' ');
    }
    const auto commas = std::ranges::count(typed, ',');
    const auto points = std::ranges::count(typed, '.');
    if (commas == 0) return points <= 1 ? Digits{typed, {}} : none;
    if (points > 0) {
        const char decimal = typed.rfind(',') > typed.rfind('.') ? ',' : '.';
        const char group = decimal == ',' ? '.' : ',';
        if (std::ranges::count(typed, decimal) > 1 ||
            !grouped(typed.substr(0, typed.find(decimal)), group))
            return none;
        std::erase(typed, group);
        return {with(typed, decimal, '.'), {}};
    }
    std::string whole = typed;
    std::erase(whole, ',');
    if (commas > 1) return grouped(typed, ',') ? Digits{whole, {}} : none;
    const std::string part = with(typed, ',', '.');
    if (grouped(typed, ',') && !typed.starts_with('0'))
        return {{}, "it may mean " + part + " or " + whole + "; write one of these"};
    return {part, {}};
}

/// 0, 10, 20 for 0:20:10.
std::optional<std::vector<double>> evenNumbers(const std::vector<double>& range, double most) {
    if (range.size() != 3) return std::nullopt;
    const double first = range[0];
    const double step = range[2];
    const double steps = std::floor((range[1] - first) / step + 1e-6);
    if (!(step != 0.0 && steps >= 0.0 && steps < most)) return std::nullopt;
    std::vector<double> values;
    for (int i = 0; i <= static_cast<int>(steps); ++i) values.push_back(first + i * step);
    return values;
}

} // namespace

std::optional<double> unitFactor(std::string_view typed, std::string_view si) {
    const std::vector<std::string> parts = partsOf(typed, '/');
    const std::vector<std::string> wanted = partsOf(si, '/');
    if (parts.size() != wanted.size()) return std::nullopt;
    double factor = 1.0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto part = partFactor(simplified(parts[i]), wanted[i]);
        if (!part) return std::nullopt;
        factor = i == 0 ? factor * *part : factor / *part;
    }
    return factor;
}

Quantity readQuantity(std::string_view typed, const QuantityUnit& unit) {
    Quantity none{std::nullopt, "it is no number"};
    constexpr std::size_t kLongest = 256; // of a text, for the recursion of std::regex
    const std::string text = simplified(std::string(typed));
    static const std::regex kForm(
        R"(([+-]?) ?([\d.,][\d., ]*?)([eE][+-]?\d+)? ?([^\d\s.,+-][^\d]*)?)");
    std::smatch match;
    if (text.size() > kLongest || !std::regex_match(text, match, kForm)) return none;
    const Digits digits = plainDigits(match[2]);
    if (!digits.problem.empty()) return {std::nullopt, digits.problem};
    const std::string number = digits.text + match[3].str();
    double value = 0.0;
    const char* const end = number.data() + number.size();
    const auto [read, error] = std::from_chars(number.data(), end, value);
    if (error != std::errc() || read != end || !std::isfinite(value)) return none;
    if (match[1] == "-") value = -value;

    const std::string given = match[4];
    if (given.empty() || lower(given) == lower(simplified(unit.shown)))
        return {value / unit.shownPerSi, {}};
    if (const auto factor = unitFactor(given, unit.si)) return {value * *factor, {}};
    return {std::nullopt, unit.shown.empty()
                              ? "this number has no unit"
                              : '"' + given + "\" cannot be turned into " + unit.shown};
}

std::optional<std::vector<double>> readQuantities(std::string_view typed,
                                                  const QuantityUnit& unit) {
    constexpr std::size_t kMost = 4096;
    const bool range = typed.find(':') != std::string_view::npos;
    const std::vector<std::string> words = partsOf(typed, range ? ':' : ',');
    if (words.size() > kMost) return std::nullopt;
    std::vector<double> values;
    for (const std::string& word : words) {
        const Quantity read = readQuantity(word, unit);
        if (!read.value) return std::nullopt;
        values.push_back(*read.value);
    }
    return range ? evenNumbers(values, static_cast<double>(kMost)) : values;
}

} // namespace echolux
