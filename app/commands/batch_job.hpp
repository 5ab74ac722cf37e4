// SPDX-License-Identifier: GPL-3.0-or-later
// One recording of a batch: the commands that are run on it, and the file that says how they ended.
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

struct BatchJob {
    std::filesystem::path recording;
    std::filesystem::path result; ///< DIR/NAME.json, written when all steps have ended
    std::vector<std::filesystem::path> outputs;
    std::vector<std::vector<std::string>> steps; ///< arguments of this program
    std::string key; ///< changes with the recording, the steps, and the files that they name
};

/// Sets the key. `named`: files whose content counts, for example the pipeline's. Files that do not
/// exist count as such.
void setKey(BatchJob& job, const std::vector<std::filesystem::path>& named);

/// True where the result says that the job was done with this key, and all outputs exist.
bool isDone(const BatchJob& job);

/// Runs the steps until one fails, and returns what the result holds: status "done" or "failed",
/// the error, seconds, outputs, commands. `more`: arguments added to each step, for example of the
/// GPU. Any thread.
nlohmann::ordered_json runJob(const BatchJob& job, const std::filesystem::path& program,
                              const std::vector<std::string>& more);

} // namespace echolux
