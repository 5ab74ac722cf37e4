// SPDX-License-Identifier: GPL-3.0-or-later
// Entry of the program: passes the arguments to the commands.
#include "app/commands/commands.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

int main(int argc, char** argv) {
    spdlog::set_default_logger(
        spdlog::stderr_color_mt("echolux")); // stdout holds the output of the command
    return echolux::runCommand(argc, argv);
}
