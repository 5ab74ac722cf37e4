// SPDX-License-Identifier: GPL-3.0-or-later
// echolux pipelines: lists the pipelines that the program contains.
#include "app/commands/commands.hpp"
#include "app/pipeline/pipeline_config.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace echolux {
namespace {

void printJson() {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const std::string& each : shippedPipelines())
        list.push_back({{"name", each}, {"title", shippedPipeline(each).name}});
    fmt::print("{}\n", list.dump(2));
}

void runPipelines(const std::string& name, bool json) {
    if (json) return printJson();
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
    const auto json = std::make_shared<bool>();
    command->add_flag("--json", *json, "Print the list as JSON");
    command->callback([name, json] { runPipelines(*name, *json); });
}

} // namespace echolux
