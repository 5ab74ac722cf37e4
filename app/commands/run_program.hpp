// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a program and waits for it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

struct ProgramEnd {
    bool succeeded = false; ///< it exited with 0
    std::string ending;     ///< "exited with 2", "was ended by signal 9"
    std::string err;        ///< what it wrote to stderr
    std::string out;        ///< what it wrote to stdout, where that was kept
};

enum class ProgramOutput { Dropped, Kept };

/// Any thread. `out`: what becomes of its output to stdout. Throws Error where it cannot be
/// started.
ProgramEnd runProgram(const std::filesystem::path& program,
                      const std::vector<std::string>& arguments,
                      ProgramOutput out = ProgramOutput::Dropped);

/// One sentence that says why the program failed: the last line that it wrote to stderr.
std::string reasonOf(const ProgramEnd& end);

/// The file of the running program.
std::filesystem::path thisProgram();

/// The words as a shell takes them, with spaces between.
std::string shellText(const std::vector<std::string>& words);

} // namespace echolux
