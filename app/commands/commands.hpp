// SPDX-License-Identifier: GPL-3.0-or-later
// The command line: one file per command; each adds its subcommand. Errors are one sentence on
// stderr.
#pragma once

namespace CLI {
class App;
}

namespace echolux {

/// Returns the exit status: 0, or 2 after one sentence on stderr.
int runCommand(int argc, char** argv);

// Each function adds its subcommand with options, help, and a callback that throws Error on bad
// input.
void addStages(CLI::App& app);
void addPipelines(CLI::App& app);
void addPlugins(CLI::App& app);
void addRender(CLI::App& app);
void addReplay(CLI::App& app);
void addSend(CLI::App& app);
void addRun(CLI::App& app);
void addExport(CLI::App& app);
void addJoin(CLI::App& app);
void addMeasure(CLI::App& app);
void addSweep(CLI::App& app);
void addFigure(CLI::App& app);
void addReport(CLI::App& app);
void addBatch(CLI::App& app);
void addRecord(CLI::App& app);
void addServe(CLI::App& app);
void addInfo(CLI::App& app);
void addSidecar(CLI::App& app);
void addBench(CLI::App& app);
void addSimulate(CLI::App& app);
void addSimulateRows(CLI::App& simulate);    ///< below `simulate`
void addSimulateVolumes(CLI::App& simulate); ///< below `simulate`
void addSimulateCube(CLI::App& simulate);    ///< below `simulate`
void addSimulateOct(CLI::App& simulate);     ///< below `simulate`
void addCalibrate(CLI::App& app);
void addAberration(CLI::App& app);
void addSound(CLI::App& app);
void addView(CLI::App& app);
void addPredict(CLI::App& app);
void addMicrobench(CLI::App& app);
void addCheck(CLI::App& app);
void addCompletion(CLI::App& app);
void addManual(CLI::App& app);
void addHelp(CLI::App& app);

} // namespace echolux
