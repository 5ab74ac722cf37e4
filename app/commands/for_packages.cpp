// SPDX-License-Identifier: GPL-3.0-or-later
// echolux completion and echolux manual: what an installed program has beside it.
#include "app/command_line/command_tree.hpp"
#include "app/commands/bench_program.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/written_pages.hpp"
#include "gpu/core/whole_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>

namespace echolux {

namespace {

/// Of this program and, where it is here, of echolux-bench.
CommandText wholeText(const CLI::App& app) {
    CommandText text = textOf(app);
    for (CommandText& command : text.commands)
        if (command.name == kBenchCommand) command = benchText().value_or(command);
    return text;
}

} // namespace

void addCompletion(CLI::App& app) {
    const auto shell = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand(
        "completion", "Print the code by which a shell completes the commands of this program");
    command->add_option("SHELL", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    command->footer("In bash, for this session: source <(echolux completion bash)");
    command->callback([&app, shell] { fmt::print("{}", completionOf(wholeText(app), *shell)); });
}

void addManual(CLI::App& app) {
    const auto folder = std::make_shared<std::string>();
    CLI::App* command =
        app.add_subcommand("manual", "Write the manual pages of this program, for packages");
    command->add_option("FOLDER", *folder, "Existing folder; pages there are replaced")
        ->required()
        ->check(CLI::ExistingDirectory);
    command->callback([&app, folder] {
        for (const ManualPage& page : manualOf(wholeText(app), ECHOLUX_VERSION))
            writeWhole(*folder + "/" + page.name + ".1", page.text);
    });
}

} // namespace echolux
