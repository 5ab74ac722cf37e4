// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a program of commands within the test's process and catches what it prints.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

namespace echolux::test {

struct CommandResult {
    int status = -1;
    std::string out;
    std::string err;
};

/// `arguments` begin with the program's name.
inline CommandResult caught(int (*program)(int, char**), std::vector<std::string> arguments) {
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    CommandResult result;
    result.status = program(static_cast<int>(arguments.size()), argv.data());
    std::fflush(stdout);
    std::fflush(stderr);
    result.out = testing::internal::GetCapturedStdout();
    result.err = testing::internal::GetCapturedStderr();
    return result;
}

} // namespace echolux::test
