// SPDX-License-Identifier: GPL-3.0-or-later
// Lists the commands.
#include "app/commands/commands.hpp"

#include "app/command_line/program.hpp"

namespace echolux {

namespace {

void addCommands(CLI::App& app) {
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
