// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line/program.hpp"

#include "app/command_line/command_names.hpp"
#include "app/command_line/help_layout.hpp"
#include "app/command_line/interrupt.hpp"
#include "app/command_line/version.hpp"
#include "app/command_line/voice.hpp"
#include "app/dataset/native/native_writer.hpp"
#include "app/dataset/recording/printable.hpp"
#include "app/session/plugin_parts.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/failure_text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <system_error>

namespace echolux {

namespace {

std::string sentenceOf(const CLI::ParseError& error, const CLI::App& app,
                       const std::vector<std::string>& arguments) {
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        const std::string unknown = unknownOption(app, arguments);
        if (!unknown.empty()) return unknown;
    }
    std::string words = error.what();
    while (words.ends_with('.') || words.ends_with('\n')) words.pop_back();
    std::ranges::replace(words, '\n', ' ');
    return words + "; --help tells how it is used.";
}

/// What commands print waits in buffers, so a full disk may show itself only here.
bool isPrinted() {
    std::cout.flush();
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout) return true;
    std::fprintf(stderr,
                 "echolux: The output cannot be written (%s); check the free space where "
                 "it goes.\n",
                 std::generic_category().message(errno).c_str());
    return false;
}

/// The exit status.
int run(const Program& program, std::vector<std::string> arguments) {
    takePluginParts();
    ownHdf5();
    CLI::App app(program.help, program.name);
    app.formatter(helpLayout());
    app.set_version_flag("--version", versionText);
    app.footer(program.footer);
    app.require_subcommand(1);
    program.addCommands(app);
    addVoiceTo(app);
    takeVoice(arguments);
    if (arguments.empty()) arguments = program.usual;
    endInOrderOnSignals(); // tests that let things fail begin here
    try {
        refuseUnknownCommand(app, arguments);
        // CLI11 takes the arguments from last to first.
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) throw Error(sentenceOf(error, app, arguments));
        app.exit(error);
    }
    return isPrinted() ? 0 : 2;
}

int failed(const char* sentence) {
    std::fprintf(stderr, "echolux: %s\n", sentence);
    return 2;
}

} // namespace

void logToStderr() { spdlog::set_default_logger(spdlog::stderr_color_mt("echolux")); }

int runProgramOf(const Program& program, int argc, char** argv) {
    try {
        return run(program, std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
    } catch (const std::filesystem::filesystem_error& error) {
        return failed(fmt::format("The system refuses '{}' ({}); check the path and its rights.",
                                  printable(error.path1().string()), error.code().message())
                          .c_str());
    } catch (const std::exception& error) {
        return failed(failureText(error).c_str());
    }
}

} // namespace echolux
