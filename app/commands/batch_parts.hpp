// SPDX-License-Identifier: GPL-3.0-or-later
// Shares the frames of a recording between jobs of a batch.
#pragma once

#include "app/commands/batch_job.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

/// How the exports of a job are shared.
struct BatchShares {
    std::int64_t frames = 0;        ///< of a part, about
    std::vector<std::string> base;  ///< arguments that say what is computed: FILE --pipeline ...
    std::string range;              ///< of --frames; may be empty
    std::vector<std::size_t> steps; ///< numbers of the exports that take parts
    std::vector<std::filesystem::path> targets; ///< their files
};

/// True where a file with this ending (".npz") takes the frames of parts: all of them, or those of
/// --frames.
bool takesParts(const std::string& ending, bool framesAreNamed);

/// Replaces the exports by parts, and by steps that join them. Asks the program for the ranges.
/// Changes nothing where there is one range alone. Returns why the frames cannot be shared; then
/// the job stays as it is. The key must be set: it stands in the names of the parts.
std::string shareFrames(BatchJob& job, const BatchShares& shares,
                        const std::filesystem::path& program, const std::vector<std::string>& more);

/// Removes the parts of a job that is done, those of earlier attempts, and their folder.
void removeParts(const BatchJob& job);

} // namespace echolux
