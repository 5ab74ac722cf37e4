// SPDX-License-Identifier: GPL-3.0-or-later
// echolux plugins: which libraries pipelines may load.
#include "app/commands/commands.hpp"
#include "app/pipeline/plugin_consents.hpp"
#include "app/pipeline/plugin_file.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

namespace echolux {
namespace {

namespace fs = std::filesystem;

/// What has become of an allowed file: "", or why it would not be loaded.
std::string stateOf(const PluginConsentEntry& entry) {
    try {
        return readPlugin(entry.path).sha256 == entry.sha256 ? "" : "changed since it was allowed";
    } catch (const Error& error) {
        std::error_code ignored;
        return fs::exists(entry.path, ignored) ? error.what() : "no longer there";
    }
}

std::string list() {
    std::string text;
    for (const PluginConsentEntry& entry : PluginConsents().all()) {
        const std::string state = stateOf(entry);
        text += fmt::format("{}  {}{}\n", entry.sha256, entry.path.string(),
                            state.empty() ? "" : " (" + state + ")");
    }
    if (text.empty())
        text = "No plugin is allowed to run. 'echolux plugins allow FILE' allows one.\n";
    return text;
}

std::string allow(const std::string& name) {
    const PluginFile file = readPlugin(findPlugin(name, {}));
    PluginConsents().allow({file.sha256, file.path});
    return fmt::format("Allowed {} (SHA-256 {}). A file with other contents is asked about anew.\n",
                       file.path.string(), file.sha256);
}

std::string forget(const std::string& name) {
    const fs::path path = fs::absolute(name).lexically_normal();
    if (!PluginConsents().forget(path))
        throw Error(
            fmt::format("{} was not allowed; 'echolux plugins' lists what is.", path.string()));
    return fmt::format("{} is no longer allowed to run.\n", path.string());
}

/// Adds a subcommand that takes a file and prints what `act` says.
void addAction(CLI::App& command, const char* name, const char* help,
               std::string (*act)(const std::string& file)) {
    auto file = std::make_shared<std::string>();
    CLI::App* action = command.add_subcommand(name, help);
    action->add_option("FILE", *file, "The plugin")->required();
    action->callback([file, act] { std::fputs(act(*file).c_str(), stdout); });
}

} // namespace

void addPlugins(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("plugins", "List the plugins that may run, or allow one");
    command->require_subcommand(0, 1);
    addAction(*command, "allow", "Let pipelines load this library", allow);
    addAction(*command, "forget", "Take it back", forget);
    command->callback([command] {
        if (command->get_subcommands().empty()) std::fputs(list().c_str(), stdout);
    });
}

} // namespace echolux
