// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a description from guesses, options and answers.
#pragma once

#include "app/dataset/sidecar/described_rows.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

using GivenFacts = std::map<std::string, std::string>; ///< key: option

/// Prints a line, or asks a question. No answer: the user has ended the dialogue.
struct Terminal {
    std::function<void(const std::string& line)> tell;
    std::function<std::optional<std::string>(const std::string& prompt)> ask;
};

inline std::string optionOf(const RowFact& row) { return std::string(row.fact->option); }

/// Reads the options in `keys` (empty: all options). Throws Error where a value is invalid.
template <class Import> void takeGiven(const DescriptionRows<Import>& rows, const GivenFacts& given,
                                       Import& import, const std::vector<std::string>& keys = {}) {
    for (const DescriptionRow<Import>& row : rows) {
        const std::string key = optionOf(row);
        const auto at = given.find(key);
        const bool wanted = keys.empty() || std::ranges::count(keys, key) > 0;
        if (at == given.end() || !wanted) continue;
        if (const std::string wrong = takeText(row, import, at->second); !wrong.empty())
            throw Error(fmt::format("--{} '{}' {}; {}.", key, at->second, wrong, questionOf(row)));
    }
}

/// Prints one line per fact that is known but was not given: the assumptions.
template <class Import> void tellGuesses(const DescriptionRows<Import>& rows,
                                         const GivenFacts& given, const Import& import,
                                         const Terminal& terminal) {
    for (const DescriptionRow<Import>& row : rows) {
        if (!row.applies(import) || given.contains(optionOf(row))) continue;
        if (const std::string text = textOf(row, import); !text.empty())
            terminal.tell(fmt::format("{:<18}{}", optionOf(row), text));
    }
}

/// Asks for each fact that was not given; its guess is the default. Calls `told` for each answer.
template <class Import>
void askFor(const DescriptionRows<Import>& rows, const GivenFacts& given, Import& import,
            const Terminal& terminal,
            const std::function<void(const std::string& key, Import&)>& told = {}) {
    for (const DescriptionRow<Import>& row : rows) {
        if (given.contains(optionOf(row)) || !row.applies(import)) continue;
        while (true) {
            const std::string guess = textOf(row, import);
            const auto answer = terminal.ask(fmt::format(
                "{}{}: ", questionOf(row), guess.empty() ? "" : fmt::format(" [{}]", guess)));
            if (!answer) return;
            if (answer->empty()) {
                if (!guess.empty() || !row.required) break;
                terminal.tell("This cannot be guessed.");
                continue;
            }
            const std::string wrong = takeText(row, import, *answer);
            if (wrong.empty()) {
                if (told) told(optionOf(row), import);
                break;
            }
            terminal.tell(fmt::format("'{}' {}.", *answer, wrong));
        }
    }
}

/// Options of required facts that are still unknown; empty where all are known.
template <class Import>
std::string unknownFacts(const DescriptionRows<Import>& rows, const Import& import) {
    std::vector<std::string> unknown;
    for (const DescriptionRow<Import>& row : rows)
        if (row.required && row.applies(import) && textOf(row, import).empty())
            unknown.push_back(fmt::format("--{} ({})", optionOf(row), questionOf(row)));
    return fmt::format("{}", fmt::join(unknown, ", "));
}

} // namespace echolux
