// SPDX-License-Identifier: GPL-3.0-or-later
// One recording of a batch: the commands that are run on it, and the file that says how they ended.
#pragma once

#include "app/commands/file_state.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

/// Frames of the recording that can be computed at the same time as others.
struct BatchPart {
    std::vector<std::string> step; ///< arguments of this program
    std::filesystem::path output;
};

struct BatchJob {
    std::filesystem::path recording;
    std::filesystem::path result; ///< DIR/NAME.json, written when all steps have ended
    std::vector<std::filesystem::path> outputs;
    std::vector<std::vector<std::string>> steps; ///< arguments of this program
    std::string backend; ///< where it is chosen for all jobs: "cuda"; else empty
    std::vector<std::filesystem::path> inputFiles; ///< see inputsOf()
    std::vector<FileState> inputs;                 ///< inputFiles, as they were for the key
    std::string key;              ///< changes with the program, the steps, backend and inputs
    std::vector<BatchPart> parts; ///< are made before the steps
};

/// Sets inputs and key, unless that was done. Reads files that were written to since the job was
/// done. Any thread.
void setKey(BatchJob& job);

/// True where the result says that the job was done with this key, and all outputs are as they were
/// then. Any thread.
bool isDone(const BatchJob& job);

/// What a program said and took.
struct StepEnd {
    std::string error; ///< one sentence; empty: it succeeded
    double seconds = 0.0;
};

/// Runs a step. `more`: arguments that are added, for example of the GPU. Any thread.
StepEnd runStep(const std::vector<std::string>& step, const std::filesystem::path& program,
                const std::vector<std::string>& more);

/// Runs the steps until one fails, unless `parts` failed, and returns what the result holds: status
/// "done" or "failed", the error, seconds of all programs, outputs, commands. Any thread.
nlohmann::ordered_json runJob(const BatchJob& job, const StepEnd& parts,
                              const std::filesystem::path& program,
                              const std::vector<std::string>& more);

/// Writes what runJob() returned to the job's result. Throws Error where that fails.
void writeResult(const BatchJob& job, const nlohmann::ordered_json& result);

/// The step as a command line for a shell.
std::string commandLine(const std::vector<std::string>& step);

} // namespace echolux
