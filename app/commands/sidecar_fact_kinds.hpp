// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of facts: numbers with a unit, counts, lists and choices; and the storage of an array.
#pragma once

#include "app/commands/sidecar_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

inline constexpr double kDegree = std::numbers::pi / 180.0;
inline constexpr const char* kNoNumber = "is no such number";

template <class Import> using Fact = ImportFact<Import>;

template <class Import> bool always(const Import&) { return true; }

/// A value of 0 means unknown, unless `zeroIsKnown`.
template <class Import> Fact<Import> number(const char* key, const char* question,
                                            double Import::*field, double unit,
                                            std::function<bool(const Import&)> applies,
                                            bool required = false, bool zeroIsKnown = false) {
    return {key,
            question,
            [field, unit, zeroIsKnown](const Import& import) {
                const double value = import.*field;
                return value == 0.0 && !zeroIsKnown ? "" : numbersText({value}, unit);
            },
            [field, unit](Import& import, const std::string& text) -> std::string {
                const auto values = parseNumbers(text, unit);
                if (!values || values->size() != 1) return kNoNumber;
                import.*field = values->front();
                return {};
            },
            std::move(applies),
            required};
}

template <class Import, class Whole>
Fact<Import> count(const char* key, const char* question, Whole Import::*field,
                   std::function<bool(const Import&)> applies, bool required = false) {
    return {key,
            question,
            [field, required](const Import& import) {
                const auto value = import.*field;
                return value == 0 && required ? "" : fmt::format("{}", value);
            },
            [field](Import& import, const std::string& text) -> std::string {
                const auto values = parseNumbers(text);
                if (!values || values->size() != 1 || values->front() != std::floor((*values)[0]) ||
                    !((*values)[0] >= 0.0 && (*values)[0] < 9e15))
                    return "is no whole number of 0 or more";
                import.*field = static_cast<Whole>(values->front());
                return {};
            },
            std::move(applies),
            required};
}

template <class Import>
Fact<Import> numbers(const char* key, const char* question, std::vector<double> Import::*field,
                     double unit, std::function<bool(const Import&)> applies, bool required) {
    return {key,
            question,
            [field, unit](const Import& import) { return numbersText(import.*field, unit); },
            [field, unit](Import& import, const std::string& text) -> std::string {
                const auto values = parseNumbers(text, unit);
                if (!values) return "is neither a list such as -10,0,10 nor first:last:step";
                import.*field = *values;
                return {};
            },
            std::move(applies),
            required};
}

template <class Import, class Value>
Fact<Import> choice(const char* key, const char* question, Value Import::*field,
                    std::vector<std::pair<std::string, Value>> choices,
                    std::function<bool(const Import&)> applies) {
    std::vector<std::string> words;
    for (const auto& [word, value] : choices) words.push_back(word);
    return {key, fmt::format("{}: {}", question, fmt::join(words, ", ")),
            [field, choices](const Import& import) {
                const auto at = std::ranges::find(choices, import.*field,
                                                  &std::pair<std::string, Value>::second);
                return at == choices.end() ? std::string() : at->first;
            },
            [field, choices, words](Import& import, const std::string& text) -> std::string {
                const auto at =
                    std::ranges::find(choices, text, &std::pair<std::string, Value>::first);
                if (at == choices.end())
                    return fmt::format("is none of {}", fmt::join(words, ", "));
                import.*field = at->second;
                return {};
            },
            std::move(applies)};
}

/// Read and print the axes, "depth,lateral", and their sizes, "-1,512,256".
std::string takeAxes(ImportArray& array, const ImportRoles& roles, const std::string& text);
std::string textOfAxes(const ImportArray& array);
/// Where the number of sizes differs from the number of axes, the axes get the usual roles. Five
/// sizes get all of `roles.all`. Two to four sizes get the last roles before `iq`.
std::string takeShape(ImportArray& array, const ImportRoles& roles, const std::string& text);
std::string textOfShape(const ImportArray& array);
std::string takeType(ImportArray& array, const std::string& text);

} // namespace echolux
