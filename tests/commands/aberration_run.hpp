// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux aberration` in a folder of its own.
#pragma once

#include "tests/support/command_line.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace echolux::test {

class AberrationRun : public testing::Test {
protected:
    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    static CommandResult run(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "aberration");
        arguments.insert(arguments.end(), {"--backend", "cpu"});
        return runEcholux(std::move(arguments));
    }
    std::string refused(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"-o", file("refused.mat")});
        const CommandResult result = run(std::move(arguments));
        EXPECT_EQ(result.status, 2);
        EXPECT_FALSE(std::filesystem::exists(file("refused.mat")));
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
        return result.err;
    }
    TemporaryFolder m_folder;
};

} // namespace echolux::test
