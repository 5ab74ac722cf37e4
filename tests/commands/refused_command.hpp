// SPDX-License-Identifier: GPL-3.0-or-later
// What a refused command prints.
#pragma once

#include "tests/support/command_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace echolux::test {

/// The one line of `echolux arguments...`, which must be refused.
inline std::string refusal(const std::vector<std::string>& arguments) {
    const CommandResult run = runEcholux(arguments);
    EXPECT_EQ(run.status, 2) << run.err;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    return run.err;
}

} // namespace echolux::test
