// SPDX-License-Identifier: GPL-3.0-or-later
// Picks the command and reports its errors.
#include "app/commands/commands.hpp"

#include "app/commands/command_names.hpp"
#include "app/commands/version.hpp"
#include "app/session/plugin_parts.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
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

} // namespace

int runCommand(int argc, char** argv) {
    takePluginParts();
    CLI::App app("Echolux: real-time imaging of ultrasound channel data and raw OCT spectra. "
                 "Without a command the window opens.",
                 "echolux");
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
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    if (arguments.empty()) arguments = {"view"};
    try {
        refuseUnknownCommand(app, arguments);
        // CLI11 takes the arguments from last to first.
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        std::fprintf(stderr, "echolux: %s\n", sentenceOf(error, app, arguments).c_str());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "echolux: %s\n", error.what());
        return 2;
    }
    return 0;
}

} // namespace echolux
