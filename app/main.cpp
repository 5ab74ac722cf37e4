// SPDX-License-Identifier: GPL-3.0-or-later
// Entry of the program: hands the arguments to the commands.
#include "app/commands/commands.hpp"

int main(int argc, char** argv) { return echolux::runCommand(argc, argv); }
