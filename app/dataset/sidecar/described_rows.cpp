// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes values of rows, for users and for sidecars.
#include "app/dataset/sidecar/described_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace echolux {

namespace {

bool isWhole(double value) {
    constexpr double kMost = 9e15;
    return value == std::floor(value) && value >= 0.0 && value < kMost;
}

std::string idsOf(const RowFact& row) {
    std::vector<std::string> ids;
    for (const RowChoice& choice : row.choices) ids.push_back(choice.id);
    return fmt::format("{}", fmt::join(ids, ", "));
}

bool isOneNumber(RowKind kind) {
    return kind == RowKind::Number || kind == RowKind::Place || kind == RowKind::Middle ||
           kind == RowKind::Whole;
}

bool isChoice(RowKind kind) { return kind == RowKind::Choice || kind == RowKind::Flag; }

std::string wordsInQuotes(std::string text) {
    for (std::size_t at = 0; (at = text.find(',', at)) != std::string::npos; at += 4)
        text.replace(at, 1, "\", \"");
    return fmt::format("[\"{}\"]", text);
}

} // namespace

std::string RowFact::path() const {
    return *table == '\0' ? std::string(fact->key) : fmt::format("{}.{}", table, fact->key);
}

std::string questionOf(const RowFact& row) {
    const bool lists = isChoice(row.kind) || row.kind == RowKind::Axes;
    return questionOf(*row.fact) + (lists ? ": " + idsOf(row) : "");
}

std::string textOf(const RowFact& row, const RowValue& value) {
    if (const auto* number = std::get_if<double>(&value))
        return row.kind == RowKind::Whole ? fmt::format("{:.0f}", *number)
                                          : numbersText({*number}, row.fact->unit->quantity());
    if (const auto* numbers = std::get_if<std::vector<double>>(&value))
        return numbersText(*numbers, row.fact->unit->quantity());
    const auto* text = std::get_if<std::string>(&value);
    return text == nullptr ? std::string() : *text;
}

std::string readText(const RowFact& row, const std::string& text, RowValue& value) {
    value = {};
    if (text.empty()) return {};
    if (isOneNumber(row.kind)) {
        const Quantity read = readQuantity(text, row.fact->unit->quantity());
        if (!read.value) return "was not taken: " + read.problem;
        if (row.kind == RowKind::Whole && !isWhole(*read.value))
            return "is no whole number of 0 or more";
        value = *read.value;
    } else if (row.kind == RowKind::Numbers) {
        const auto numbers = readQuantities(text, row.fact->unit->quantity());
        if (!numbers)
            return "is neither a number, nor a list such as -10,0,10, nor first:last:step";
        value = *numbers;
    } else {
        if (isChoice(row.kind) && std::ranges::count(row.choices, text, &RowChoice::id) == 0)
            return "is none of " + idsOf(row);
        value = text;
    }
    return {};
}

SidecarEntry entryOf(const RowFact& row, const RowValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        if (row.kind == RowKind::Axes) return {row.path(), wordsInQuotes(*text)};
        if (row.kind == RowKind::Sizes) return {row.path(), fmt::format("[{}]", *text)};
        if (row.kind == RowKind::Flag)
            return {row.path(), *text == row.choices.back().id ? "true" : "false"};
        return {row.path(), inQuotes(*text)};
    }
    const bool angle = row.fact->unit->si == "rad";
    const double scale = angle ? row.fact->unit->shownPerSi : 1.0;
    const auto* number = std::get_if<double>(&value);
    const std::vector<double> values =
        number != nullptr ? std::vector{*number} : std::get<std::vector<double>>(value);
    std::vector<std::string> words;
    for (const double each : values) words.push_back(fmt::format("{:.12g}", each * scale));
    return {row.path() + (angle ? "_deg" : ""),
            words.size() == 1 ? words.front() : fmt::format("[{}]", fmt::join(words, ", "))};
}

std::string sidecarText(const std::vector<SidecarEntry>& entries,
                        const std::vector<std::string>& first) {
    std::vector<std::string> tables{""};
    tables.insert(tables.end(), first.begin(), first.end());
    const auto tableOf = [](const std::string& path) { return path.substr(0, path.find('.')); };
    for (const auto& [path, value] : entries)
        if (path.find('.') != std::string::npos && std::ranges::count(tables, tableOf(path)) == 0)
            tables.push_back(tableOf(path));
    std::string text;
    for (const std::string& table : tables) {
        if (!table.empty()) text += fmt::format("[{}]\n", table);
        for (const auto& [path, value] : entries) {
            const std::size_t point = path.find('.');
            if ((point == std::string::npos ? "" : tableOf(path)) == table)
                text += fmt::format("{} = {}\n", path.substr(point + 1), value);
        }
    }
    return text;
}

RowValue valueIn(const Sidecar& sidecar, const RowFact& row, bool& plain) {
    const std::string path = row.path();
    if (isChoice(row.kind)) {
        const std::string word = sidecar.word(path);
        if (word.empty()) return {};
        return row.kind == RowKind::Flag ? row.choices.back().id : word;
    }
    const NumberSource& source = sidecar.numbers(path);
    const bool isNumber = isOneNumber(row.kind) || row.kind == RowKind::Numbers;
    if (!isNumber || !source.given()) return {};
    if (source.isNamed() || (row.kind != RowKind::Numbers && source.values.size() != 1)) {
        plain = false;
        return {};
    }
    if (row.kind == RowKind::Numbers) return source.values;
    return source.values.front();
}

} // namespace echolux
