// SPDX-License-Identifier: GPL-3.0-or-later
// Lists the commands.
#include "app/commands/commands.hpp"

#include "app/command_line/program.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <vector>

namespace echolux {

namespace {

/// The help lists the commands that `adds` add below this heading.
template <class... Adds> void addGroup(CLI::App& app, const char* heading, Adds... adds) {
    const auto all = [&] { return app.get_subcommands([](CLI::App*) { return true; }); };
    const std::size_t before = all().size();
    (adds(app), ...);
    const std::vector<CLI::App*> commands = all();
    for (std::size_t i = before; i < commands.size(); ++i)
        if (!commands[i]->get_group().empty()) commands[i]->group(heading);
}

void addCommands(CLI::App& app) {
    addGroup(app, "Show and image a recording", addView, addRender, addRun, addInfo, addSidecar,
             addReplay, addSend);
    addGroup(app, "Measure", addMeasure, addSweep, addSound);
    addGroup(app, "Write for papers and other programs", addExport, addJoin, addFigure, addReport,
             addBatch);
    addGroup(app, "Live", addRecord, addServe);
    addGroup(app, "Make recordings and calibrations", addSimulate, addCalibrate, addAberration);
    addGroup(app, "What there is", addStages, addPipelines, addPlugins);
    addGroup(app, "Speed and checks", addBench, addPredict, addMicrobench, addCheck);
    addGroup(app, "Help", addHelp, addCompletion, addManual);
}

} // namespace

int runCommand(int argc, char** argv) {
    static const Program kEcholux{
        "echolux",
        "Echolux: real-time imaging of ultrasound channel data and raw OCT spectra. "
        "Without a command the window opens.",
        "Frames, transmits and channels are counted from 1. 'echolux help' lists pages on "
        "formats, pipelines and more.",
        addCommands,
        {"view"}};
    return runProgramOf(kEcholux, argc, argv);
}

} // namespace echolux
