// SPDX-License-Identifier: GPL-3.0-or-later
// Picks the command and reports its errors.
#include "app/commands/commands.hpp"

#include "app/commands/command_names.hpp"
#include "app/commands/interrupt.hpp"
#include "app/commands/version.hpp"
#include "app/dataset/native/native_writer.hpp"
#include "app/dataset/recording/printable.hpp"
#include "app/session/plugin_parts.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/failure_text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

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

void addCommands(CLI::App& app) {
    app.set_version_flag("--version", versionText);
    app.footer("Frames, transmits and channels are counted from 1. 'echolux help' lists pages on "
               "formats, pipelines and more.");
    app.require_subcommand(1);
    addView(app);
    addRender(app);
    addRun(app);
    addInfo(app);
    addSidecar(app);
    addExport(app);
    addJoin(app);
    addMeasure(app);
    addSweep(app);
    addFigure(app);
    addReport(app);
    addBatch(app);
    addRecord(app);
    addServe(app);
    addStages(app);
    addPipelines(app);
    addPlugins(app);
    addSimulate(app);
    addCalibrate(app);
    addAberration(app);
    addBench(app);
    addPredict(app);
    addMicrobench(app);
    addCheck(app);
    addCompletion(app);
    addManual(app);
    addHelp(app);
}

/// The exit status.
int run(std::vector<std::string> arguments) {
    takePluginParts();
    ownHdf5();
    CLI::App app("Echolux: real-time imaging of ultrasound channel data and raw OCT spectra. "
                 "Without a command the window opens.",
                 "echolux");
    addCommands(app);
    if (arguments.empty()) arguments = {"view"};
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

int runCommand(int argc, char** argv) {
    try {
        return run(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
    } catch (const std::filesystem::filesystem_error& error) {
        return failed(fmt::format("The system refuses '{}' ({}); check the path and its rights.",
                                  printable(error.path1().string()), error.code().message())
                          .c_str());
    } catch (const std::exception& error) {
        return failed(failureText(error).c_str());
    }
}

} // namespace echolux
