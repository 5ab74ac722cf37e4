// SPDX-License-Identifier: GPL-3.0-or-later
// Runs `echolux ARGS` within the test's process and catches what it prints.
#pragma once

#include "app/commands/commands.hpp"
#include "tests/support/caught_command.hpp"

#include <string>
#include <utility>
#include <vector>

namespace echolux::test {

inline CommandResult runEcholux(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "echolux");
    return caught(runCommand, std::move(arguments));
}

} // namespace echolux::test
