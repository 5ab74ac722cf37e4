// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a description from guesses, options and answers.
#pragma once

#include "app/commands/sidecar_facts.hpp"
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

/// Reads the options in `keys` (empty: all options). Throws Error where a value is invalid.
template <class Import> void takeGiven(const std::vector<ImportFact<Import>>& facts,
                                       const GivenFacts& given, Import& import,
                                       const std::vector<std::string>& keys = {}) {
    for (const ImportFact<Import>& fact : facts) {
        const auto at = given.find(fact.key);
        const bool wanted = keys.empty() || std::ranges::count(keys, fact.key) > 0;
        if (at == given.end() || !wanted) continue;
        if (const std::string wrong = fact.take(import, at->second); !wrong.empty())
            throw Error(
                fmt::format("--{} '{}' {}; {}.", fact.key, at->second, wrong, fact.question));
    }
}

/// Prints one line per fact that is known but was not given: the assumptions.
template <class Import> void tellGuesses(const std::vector<ImportFact<Import>>& facts,
                                         const GivenFacts& given, const Import& import,
                                         const Terminal& terminal) {
    for (const ImportFact<Import>& fact : facts) {
        if (!fact.applies(import) || given.contains(fact.key)) continue;
        if (const std::string text = fact.text(import); !text.empty())
            terminal.tell(fmt::format("{:<18}{}", fact.key, text));
    }
}

/// Asks for each fact that was not given; its guess is the default. Calls `told` for each answer.
template <class Import>
void askFor(const std::vector<ImportFact<Import>>& facts, const GivenFacts& given, Import& import,
            const Terminal& terminal,
            const std::function<void(const std::string& key, Import&)>& told = {}) {
    for (const ImportFact<Import>& fact : facts) {
        if (given.contains(fact.key) || !fact.applies(import)) continue;
        while (true) {
            const std::string guess = fact.text(import);
            const auto answer = terminal.ask(fmt::format(
                "{}{}: ", fact.question, guess.empty() ? "" : fmt::format(" [{}]", guess)));
            if (!answer) return;
            if (answer->empty()) {
                if (!guess.empty() || !fact.required) break;
                terminal.tell("This cannot be guessed.");
                continue;
            }
            const std::string wrong = fact.take(import, *answer);
            if (wrong.empty()) {
                if (told) told(fact.key, import);
                break;
            }
            terminal.tell(fmt::format("'{}' {}.", *answer, wrong));
        }
    }
}

/// Options of required facts that are still unknown; empty where all are known.
template <class Import>
std::string unknownFacts(const std::vector<ImportFact<Import>>& facts, const Import& import) {
    std::vector<std::string> unknown;
    for (const ImportFact<Import>& fact : facts)
        if (fact.required && fact.applies(import) && fact.text(import).empty())
            unknown.push_back(fmt::format("--{} ({})", fact.key, fact.question));
    return fmt::format("{}", fmt::join(unknown, ", "));
}

} // namespace echolux
