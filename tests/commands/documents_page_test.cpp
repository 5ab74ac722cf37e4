// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux help documents`: what the page names is there. Every command in it runs; every stage,
// parameter, pipeline and dock exists.
#include "app/desktop/workbench/tool_type.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/support/command_line.hpp"
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
namespace {

std::string page() {
    std::ifstream file(std::string(ECHOLUX_SOURCE_DIR) + "/resources/help/documents.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

/// What the first group of `pattern` matches, each once.
std::set<std::string> named(const std::string& pattern) {
    const std::string text = page();
    const std::regex expression(pattern);
    std::set<std::string> found;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), expression);
         at != std::sregex_iterator(); ++at)
        found.insert((*at)[1]);
    return found;
}

std::vector<std::string> wordsOf(const std::string& command) {
    std::istringstream words(command);
    return {std::istream_iterator<std::string>(words), {}};
}

TEST(DocumentsPage, EveryCommandRuns) {
    const TemporaryFolder folder;
    const std::string source = ECHOLUX_SOURCE_DIR;
    const std::set<std::string> commands = named("`echolux ([^`]+)`");
    EXPECT_GE(commands.size(), 20U);
    for (const std::string& command : commands) {
        std::vector<std::string> words = wordsOf(command);
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (words[i].starts_with("testdata/")) words[i] = source + "/" + words[i];
            if (i > 0 && words[i - 1] == "-o") words[i] = (folder / words[i]).string();
        }
        if (command.starts_with("bench documents"))
            words.insert(words.end(), {"--reduced", "--repeat", "1", "--backend", "cpu"});
        if (command.starts_with("bench oct"))
            words.insert(words.end(), {"--repeat", "1", "--backend", "cpu"});
        if (command.starts_with("run")) words.insert(words.end(), {"--backend", "cpu"});
        if (command.starts_with("predict")) words.emplace_back("--no-measuring");
        const CommandResult run = runEcholux(words);
        EXPECT_EQ(run.status, 0) << command << "\n" << run.err;
        const bool writes = std::ranges::find(words, "-o") != words.end();
        EXPECT_TRUE(writes || !run.out.empty()) << command;
    }
}

/// A stage, a stage's parameter or a pipeline.
bool isKnown(const std::string& name) {
    const std::string id = name.substr(0, name.find('.'));
    const auto types = builtinStages();
    const auto type =
        std::ranges::find_if(types, [&](const StageType* each) { return each->id == id; });
    if (name == id) {
        const std::vector<std::string> shipped = shippedPipelines();
        return type != types.end() || std::ranges::find(shipped, name) != shipped.end();
    }
    return type != types.end() && (*type)->table.find(name.substr(id.size() + 1)) != nullptr;
}

TEST(DocumentsPage, EveryStageParameterAndPipelineExists) {
    const std::set<std::string> names = named("`([a-z0-9_]+(?:\\.[a-z0-9_]+)?)`");
    EXPECT_GE(names.size(), 50U);
    for (const std::string& name : names) EXPECT_TRUE(isKnown(name)) << name;
    EXPECT_FALSE(isKnown("beamform.f_numbers"));
    EXPECT_FALSE(isKnown("beamformer"));
}

TEST(DocumentsPage, EveryDockExists) {
    std::set<std::string> titles;
    for (const ToolType& tool : toolTypes()) titles.insert(tool.title);
    const std::set<std::string> docks = named("dock \\*([^*]+)\\*");
    EXPECT_GE(docks.size(), 8U);
    for (const std::string& dock : docks) EXPECT_TRUE(titles.contains(dock)) << dock;
}

} // namespace
} // namespace echolux::test
