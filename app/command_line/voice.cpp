// SPDX-License-Identifier: GPL-3.0-or-later
// One choice for the whole program, made before its command runs.
#include "app/command_line/voice.hpp"

#include <CLI/CLI.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace echolux {
namespace {

Voice g_voice = Voice::Usual;

} // namespace

Voice voice() { return g_voice; }

void addVoiceTo(CLI::App& app) {
    app.add_flag("-q,--quiet")
        ->description("Before or behind any command: no warnings and no progress");
    app.add_flag("--verbose")->description("Before or behind any command: all of the log");
}

void takeVoice(std::vector<std::string>& arguments) {
    g_voice = Voice::Usual;
    const auto end = std::ranges::find(arguments, "--");
    const auto taken = std::remove_if(arguments.begin(), end, [](const std::string& each) {
        const bool quiet = each == "-q" || each == "--quiet";
        if (quiet) g_voice = Voice::Quiet;
        if (each == "--verbose") g_voice = Voice::Verbose;
        return quiet || each == "--verbose";
    });
    arguments.erase(taken, end);
    spdlog::set_level(g_voice == Voice::Quiet     ? spdlog::level::err
                      : g_voice == Voice::Verbose ? spdlog::level::debug
                                                  : spdlog::level::info);
}

} // namespace echolux
