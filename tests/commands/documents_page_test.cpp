// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux help documents`: what the page names is there. Every command in it runs; every stage,
// parameter, pipeline and dock exists.
#include "app/desktop/workbench/tool_type.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/documents_walk.hpp"

namespace echolux::test {
namespace {

TEST(DocumentsPage, EveryCommandRuns) { expectCommandsRun(runEcholux, false, "cpu"); }

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

/// Titles of docks that the page names: after the word dock or docks, and in any other place as
/// slanted words that begin with a capital.
std::set<std::string> namedDocks() {
    std::set<std::string> docks = named("docks? \\*([^*]+)\\*");
    docks.merge(named("[^*]\\*([A-Z][^*\\n]*)\\*[^*]"));
    return docks;
}

TEST(DocumentsPage, EveryDockExists) {
    std::set<std::string> titles;
    for (const ToolType& tool : toolTypes()) titles.insert(tool.title);
    const std::set<std::string> docks = namedDocks();
    EXPECT_GE(docks.size(), 8U);
    for (const std::string& dock : docks) EXPECT_TRUE(titles.contains(dock)) << dock;
}

} // namespace
} // namespace echolux::test
