// SPDX-License-Identifier: GPL-3.0-or-later
// Runs `echolux bench ARGS` within the test's process and catches what it prints.
#pragma once

#include "app/bench/benches.hpp"
#include "tests/support/caught_command.hpp"

#include <string>
#include <utility>
#include <vector>

namespace echolux::test {

inline CommandResult runBenches(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "echolux-bench");
    return caught(runBench, std::move(arguments));
}

} // namespace echolux::test
