// SPDX-License-Identifier: GPL-3.0-or-later
// echolux pipelines: lists the pipelines that the program contains.
#include "app/commands/commands.hpp"
#include "app/pipeline/pipeline_config.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>

namespace echolux {
namespace {

void runPipelines(const std::string& name) {
    if (!name.empty()) {
        fmt::print("{}", toToml(shippedPipeline(name)));
        return;
    }
    for (const std::string& each : shippedPipelines())
        fmt::print("{:<26}{}\n", each, shippedPipeline(each).name);
}

} // namespace

void addPipelines(CLI::App& app) {
    const auto name = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("pipelines", "The pipelines that come with the program");
    command->add_option("NAME", *name, "Prints this one as a pipeline file");
    command->callback([name] { runPipelines(*name); });
}

} // namespace echolux
