// SPDX-License-Identifier: GPL-3.0-or-later
// Entry of the program: passes the arguments to the commands.
#include "app/command_line/program.hpp"
#include "app/commands/commands.hpp"

int main(int argc, char** argv) {
    echolux::logToStderr();
    return echolux::runCommand(argc, argv);
}
