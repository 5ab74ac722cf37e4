// SPDX-License-Identifier: GPL-3.0-or-later
// Reads `echolux help documents` and runs the commands that it names.
#pragma once

#include "tests/support/caught_command.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace echolux::test {

inline std::string documentsPage() {
    std::ifstream file(std::string(ECHOLUX_SOURCE_DIR) + "/resources/help/documents.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

/// What the first group of `pattern` matches, each once.
inline std::set<std::string> named(const std::string& pattern) {
    const std::string text = documentsPage();
    const std::regex expression(pattern);
    std::set<std::string> found;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), expression);
         at != std::sregex_iterator(); ++at)
        found.insert((*at)[1]);
    return found;
}

inline std::vector<std::string> wordsOf(const std::string& command) {
    std::istringstream words(command);
    return {std::istream_iterator<std::string>(words), {}};
}

/// Runs the commands of `echolux bench` by runBenches() or all others by runEcholux(), those that
/// take a backend on `backend`: "cpu" or "cuda".
inline void expectCommandsRun(CommandResult (*run)(std::vector<std::string>), bool benches,
                              const std::string& backend) {
    const TemporaryFolder folder;
    const std::string source = ECHOLUX_SOURCE_DIR;
    const std::set<std::string> commands = named("`echolux ([^`]+)`");
    EXPECT_GE(commands.size(), 20U);
    for (const std::string& command : commands) {
        if (command.starts_with("bench") != benches) continue;
        std::vector<std::string> words = wordsOf(command);
        if (benches) words.erase(words.begin());
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (words[i].starts_with("testdata/")) words[i] = source + "/" + words[i];
            if (i > 0 && words[i - 1] == "-o") words[i] = (folder / words[i]).string();
        }
        if (command.starts_with("bench documents"))
            words.insert(words.end(), {"--reduced", "--repeat", "1", "--backend", backend});
        if (command.starts_with("bench oct"))
            words.insert(words.end(), {"--repeat", "1", "--backend", backend});
        for (const char* imaging : {"run", "render", "aberration", "calibrate"})
            if (command.starts_with(imaging)) words.insert(words.end(), {"--backend", backend});
        if (command.starts_with("predict")) words.emplace_back("--no-measuring");
        const CommandResult done = run(words);
        EXPECT_EQ(done.status, 0) << command << "\n" << done.err;
        const bool writes = std::ranges::find(words, "-o") != words.end();
        EXPECT_TRUE(writes || !done.out.empty()) << command;
    }
}

} // namespace echolux::test
