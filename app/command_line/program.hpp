// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a program of commands: picks the command and reports its errors, one sentence on stderr.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace echolux {

struct Program {
    std::string name; ///< as help and errors call it: "echolux"
    std::string help;
    std::string footer;
    void (*addCommands)(CLI::App&);
    std::vector<std::string> usual = {}; ///< arguments of a call without any
};

/// Log lines go to stderr, because stdout holds the output of commands.
void logToStderr();

/// Returns the exit status: 0, or 2 after one sentence on stderr.
int runProgramOf(const Program& program, int argc, char** argv);

} // namespace echolux
