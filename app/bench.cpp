// SPDX-License-Identifier: GPL-3.0-or-later
// Entry of echolux-bench: passes the arguments to the benches.
#include "app/bench/benches.hpp"
#include "app/command_line/program.hpp"

int main(int argc, char** argv) {
    echolux::logToStderr();
    return echolux::runBench(argc, argv);
}
