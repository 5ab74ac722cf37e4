// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the commands and options from CLI11.
#include "app/command_line/command_tree.hpp"

#include "app/pipeline/pipeline_config.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/registry.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace echolux {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OptionText, names, help, fallback, choices, takesOthers,
                                   takesValue, isPositional, isRequired, isRepeatable)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CommandText, name, help, options, commands, footer)

namespace {

/// CLI11 writes choices as "TEXT:{one,two}". Empty where a value is not checked against a list.
std::vector<std::string> checkedChoices(const std::string& type) {
    const std::size_t open = type.find('{');
    const std::size_t close = type.find('}', open);
    if (open == std::string::npos || close == std::string::npos) return {};
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

/// "beamform.f_number=" of every parameter of every stage that the program brings.
std::vector<std::string> settings() {
    std::vector<std::string> all;
    for (const StageType* type : builtinStages())
        for (const ParamRow& row : type->table.rows())
            all.push_back(fmt::format("{}.{}=", type->id, row.key));
    return all;
}

/// "Table of a device, or one of: one, two (repeatable)" names values that stand for shipped files.
std::vector<std::string> namedChoices(const std::string& help) {
    if (help.find(kNameOfAPipeline) != std::string::npos) return shippedPipelines();
    if (help.find(kSettingOfAParameter) != std::string::npos) return settings();
    constexpr std::string_view kBefore = "one of: ";
    const std::size_t at = help.rfind(kBefore);
    if (at == std::string::npos) return {};
    const std::size_t from = at + kBefore.size();
    const std::size_t to = std::min(help.find_first_of("(;.", from), help.size());
    std::vector<std::string> names = CLI::detail::split(help.substr(from, to - from), ',');
    for (std::string& name : names) CLI::detail::trim(name);
    return names;
}

OptionText optionText(const CLI::Option& option) {
    OptionText text;
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
    text.isPositional = text.names.empty();
    if (text.isPositional) text.names.push_back(option.get_name());
    text.help = option.get_description();
    text.fallback = option.get_default_str();
    text.choices = checkedChoices(option.get_type_name());
    text.takesOthers = text.choices.empty();
    if (text.takesOthers) text.choices = namedChoices(text.help);
    text.takesValue = option.get_items_expected_max() > 0;
    text.isRequired = option.get_required();
    text.isRepeatable = option.get_items_expected_max() > 1;
    return text;
}

} // namespace

CommandText textOf(const CLI::App& app) {
    CommandText text{app.get_name(), app.get_description(), {}, {}, app.get_footer()};
    for (const CLI::Option* option : app.get_options()) text.options.push_back(optionText(*option));
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!command->get_group().empty()) text.commands.push_back(textOf(*command));
    return text;
}

std::string jsonOf(const CommandText& command) { return nlohmann::json(command).dump(); }

CommandText commandTextOf(const std::string& json) {
    try {
        return nlohmann::json::parse(json).get<CommandText>();
    } catch (const nlohmann::json::exception& error) {
        throw Error(fmt::format("No list of commands could be read: {}.", error.what()));
    }
}

} // namespace echolux
