// SPDX-License-Identifier: GPL-3.0-or-later
// Finds words among the commands and options that CLI11 knows.
#include "app/command_line/command_names.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/nearest_word.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace echolux {

namespace {

std::vector<const CLI::App*> commandsOf(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

const CLI::App* commandOf(const CLI::App& app, const std::string& name) {
    for (const CLI::App* command : commandsOf(app))
        if (command->get_name() == name) return command;
    return nullptr;
}

std::vector<std::string> longOptionsOf(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

} // namespace

std::vector<std::string> commandNames(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : commandsOf(app)) names.push_back(command->get_name());
    return names;
}

const CLI::App* findCommand(const CLI::App& app, const std::vector<std::string>& words) {
    const CLI::App* at = &app;
    for (const std::string& word : words)
        if (at != nullptr) at = commandOf(*at, word);
    return at;
}

std::string didYouMean(const std::string& typed, const std::vector<std::string>& words) {
    const std::string nearest = nearestWord(typed, words);
    return nearest.empty() ? nearest : fmt::format("did you mean '{}'? ", nearest);
}

void refuseUnknownCommand(const CLI::App& app, const std::vector<std::string>& arguments) {
    const CLI::App* at = &app;
    std::string path = app.get_name();
    for (const std::string& word : arguments) {
        const std::vector<std::string> names = commandNames(*at);
        if (word.starts_with('-') || names.empty()) return;
        if (const CLI::App* command = commandOf(*at, word)) {
            at = command;
            path += " " + word;
            continue;
        }
        std::error_code ignored;
        if (at == &app && std::filesystem::exists(word, ignored))
            throw Error(fmt::format(
                "'{}' is a file, not a command; open it with 'echolux view {}'.", word, word));
        const std::string nearest = nearestWord(word, names);
        throw Error(fmt::format("'{} {}' is no command; {} ('{} --help').", path, word,
                                nearest.empty()
                                    ? fmt::format("choose one of {}", fmt::join(names, ", "))
                                    : fmt::format("did you mean '{} {}'?", path, nearest),
                                path));
    }
}

std::string unknownOption(const CLI::App& app, const std::vector<std::string>& arguments) {
    const CLI::App* at = &app;
    std::string path = app.get_name();
    for (const std::string& word : arguments) {
        if (!word.starts_with("--")) {
            if (const CLI::App* command = commandOf(*at, word)) {
                at = command;
                path += " " + word;
            }
            continue;
        }
        const std::string name = word.substr(0, word.find('='));
        const std::vector<std::string> known = longOptionsOf(*at);
        if (name == "--" || std::ranges::find(known, name) != known.end()) continue;
        return fmt::format("'{}' is no option of '{}'; {}'{} --help' lists them.", name, path,
                           didYouMean(name, known), path);
    }
    return {};
}

} // namespace echolux
