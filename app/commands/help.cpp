// SPDX-License-Identifier: GPL-3.0-or-later
// echolux help: shows the program's pages and the help of its commands.
#include "app/command_line/command_names.hpp"
#include "app/commands/bench_program.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/help_text.hpp"
#include "embedded/helpPages.hpp"
#include "gpu/core/embedded_file.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

namespace echolux {

namespace {

std::string nameOf(const EmbeddedFile& page) {
    return std::string(page.name.substr(0, page.name.rfind('.')));
}

std::vector<std::string> pageNames() {
    std::vector<std::string> names;
    for (const EmbeddedFile& page : helpPages()) names.push_back(nameOf(page));
    return names;
}

/// The title of a page, such as "Sidecars: how to describe an array".
std::string titleOf(const EmbeddedFile& page) {
    const std::string_view line = page.text.substr(0, page.text.find('\n'));
    return std::string(line.substr(line.find_first_not_of("# ")));
}

/// NOTE: App::help() would describe the running command, which is `help`.
std::string helpOf(const CLI::App& command, const std::string& name) {
    return command.get_formatter()->make_help(&command, name, CLI::AppFormatMode::Normal);
}

std::string overview(const CLI::App& app) {
    std::string text = helpOf(app, "echolux") + "\nPages:\n";
    for (const EmbeddedFile& page : helpPages())
        text += fmt::format("  echolux help {:<14}{}\n", nameOf(page), titleOf(page));
    return text;
}

/// The arguments by which echolux-bench helps on a bench.
std::vector<std::string> helpWords(const std::vector<std::string>& topic) {
    std::vector<std::string> words(topic.begin() + 1, topic.end());
    words.emplace_back("--help");
    return words;
}

std::string helpOn(const CLI::App& app, const std::vector<std::string>& topic) {
    if (topic.empty()) return overview(app);
    for (const EmbeddedFile& page : helpPages())
        if (topic.size() == 1 && nameOf(page) == topic.front()) return forTerminal(page.text);
    if (topic.front() == kBenchCommand) becomeBench(helpWords(topic));
    const CLI::App* command = findCommand(app, topic);
    if (command != nullptr)
        return helpOf(*command, fmt::format("echolux {}", fmt::join(topic, " ")));
    throw Error(fmt::format("There is no help on '{}'; {}choose a command or one of the pages {}.",
                            fmt::join(topic, " "),
                            didYouMean(topic.front(),
                                       [&] {
                                           std::vector<std::string> words = commandNames(app);
                                           for (const std::string& page : pageNames())
                                               words.push_back(page);
                                           return words;
                                       }()),
                            fmt::join(pageNames(), ", ")));
}

} // namespace

void addHelp(CLI::App& app) {
    const auto topic = std::make_shared<std::vector<std::string>>();
    CLI::App* command =
        app.add_subcommand("help", "Pages on formats, pipelines, output and more; help on COMMAND");
    command->add_option("TOPIC", *topic,
                        fmt::format("{}, or a command", fmt::join(pageNames(), ", ")));
    command->callback([&app, topic] { fmt::print("{}", helpOn(app, *topic)); });
}

} // namespace echolux
