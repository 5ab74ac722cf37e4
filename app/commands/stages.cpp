// SPDX-License-Identifier: GPL-3.0-or-later
// echolux stages: lists the stages and their parameters from the tables.
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/stage_report.hpp"
#include "app/pipeline/parameter_words.hpp"

#include "gpu/stage/registry.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>

namespace echolux {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;
using StageTypes = std::vector<const StageType*>;

struct StagesOptions {
    std::string id;
    std::string library; ///< whose stages are tested
    bool json = false;
    bool markdown = false;
};

bool hasRange(const ParamRow& row) {
    return row.type == ParamType::Integer || row.type == ParamType::Real ||
           row.type == ParamType::RealList;
}

std::vector<std::string> choiceIds(const ParamRow& row) {
    std::vector<std::string> ids;
    for (const ParamChoice& choice : row.choices) ids.push_back(choice.id);
    return ids;
}

std::string rangeText(const ParamRow& row) {
    if (row.type == ParamType::Choice) return fmt::format("{}", fmt::join(choiceIds(row), ", "));
    if (row.type == ParamType::Flag) return "true, false";
    if (row.type == ParamType::Mask)
        return fmt::format("{}, or 0 or 1 each", fmt::join(Mask::kWords, ", "));
    if (!hasRange(row)) return "";
    std::string text = fmt::format("{:g} to {:g}", row.min, row.max);
    if (row.oddOnly) text += ", odd";
    if (!row.listLabels.empty()) text += fmt::format(", {} values", row.listLabels.size());
    return text;
}

std::string_view effectOf(const ParamRow& row) {
    return row.kind == ParamKind::Live ? "live" : "structural";
}

std::string acceptedFrames(const Port& port) {
    Cells dtypes;
    Cells axes;
    for (const DType dtype : port.dtypes) dtypes.emplace_back(echolux::nameOf(dtype));
    for (const AxisName axis : port.axes) axes.push_back(fmt::format("[{}]", nameOf(axis)));
    std::string text =
        fmt::format("{} {}", fmt::join(dtypes, ", "),
                    axes.empty() ? "any axes" : fmt::format("{}", fmt::join(axes, "")));
    for (const std::vector<AxisName>& other : port.otherAxes) {
        text += " or ";
        for (const AxisName axis : other) text += fmt::format("[{}]", nameOf(axis));
    }
    return text;
}

/// The frames that a stage accepts. Several ports are listed with their names, which links in a
/// pipeline file need.
std::string acceptedFrames(const StageType& type) {
    if (type.inputs.size() == 1) return acceptedFrames(type.inputs[0]);
    Cells ports;
    for (std::size_t i = 0; i < type.inputs.size(); ++i)
        ports.push_back(fmt::format("{}: {}", type.inputs[i].name, acceptedFrames(type.inputs[i])));
    return fmt::format("{}", fmt::join(ports, "; "));
}

/// The outputs besides `out`, such as "transmits: The low-resolution images."
Cells furtherFrames(const StageType& type) {
    Cells outputs;
    for (const OutputPort& port : std::span(type.outputs).subspan(1))
        outputs.push_back(fmt::format("{}: {}", port.name, port.help));
    return outputs;
}

Cells parameterHeads() { return {"key", "name", "unit", "range", "default", "effect", "help"}; }

Cells parameterCells(const ParamRow& row, const Params& defaults) {
    return {row.key,
            row.label,
            row.unit,
            rangeText(row),
            ParamTable::format(defaults.get(row.key)),
            std::string(effectOf(row)),
            row.help};
}

/// Columns are as wide as their widest cell and two spaces apart. The last column has no fixed
/// width.
std::string plainTable(const std::vector<Cells>& rows) {
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const Cells& row : rows) {
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    }
    widths.back() = 0;
    std::string text;
    for (const Cells& row : rows) {
        for (std::size_t c = 0; c < row.size(); ++c)
            text += fmt::format("{:<{}}{}", row[c], widths[c], c + 1 < row.size() ? "  " : "\n");
    }
    return text;
}

std::string markdownTable(const std::vector<Cells>& rows) {
    std::string text;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        text += fmt::format("| {} |\n", fmt::join(rows[r], " | "));
        if (r == 0)
            text += "|" + fmt::format("{}", fmt::join(Cells(rows[r].size(), "---|"), "")) + "\n";
    }
    return text;
}

std::vector<Cells> parameterTable(const StageType& type) {
    const Params defaults(type.table);
    std::vector<Cells> rows{parameterHeads()};
    for (const ParamRow& row : type.table.rows()) rows.push_back(parameterCells(row, defaults));
    return rows;
}

std::string asPlainText(const StageType& type) {
    std::string text = fmt::format("{} ({})\n{}\nInput: {}\n", type.id, type.label, type.help,
                                   acceptedFrames(type));
    for (const std::string& output : furtherFrames(type)) text += "Further output " + output + "\n";
    if (type.defaults != nullptr) text += "Some defaults depend on the data.\n";
    if (type.table.rows().empty()) return text + "It has no parameters.\n";
    return text + "\n" + plainTable(parameterTable(type));
}

std::string asMarkdown(const StageType& type) {
    std::string text = fmt::format("### `{}`: {}\n\n{} Input: {}.\n", type.id, type.label,
                                   type.help, acceptedFrames(type));
    for (const std::string& output : furtherFrames(type))
        text += "\nFurther output " + output + "\n";
    if (!type.table.rows().empty()) text += "\n" + markdownTable(parameterTable(type));
    return text;
}

Json asJson(const ParamValue& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

Json asJson(const StageType& type) {
    const Params defaults(type.table);
    Json parameters = Json::array();
    for (const ParamRow& row : type.table.rows()) {
        Json parameter{{"key", row.key},
                       {"label", row.label},
                       {"type", nameOf(row.type)},
                       {"unit", row.unit},
                       {"default", asJson(defaults.get(row.key))},
                       {"effect", effectOf(row)},
                       {"help", row.help}};
        if (hasRange(row)) {
            parameter["min"] = row.min;
            parameter["max"] = row.max;
            parameter["step"] = row.step;
        }
        if (row.type == ParamType::Choice) parameter["choices"] = choiceIds(row);
        parameters.push_back(std::move(parameter));
    }
    return {{"id", type.id},
            {"label", type.label},
            {"help", type.help},
            {"version", type.version},
            {"takes", acceptedFrames(type)},
            {"gives", type.outputNames()},
            {"parameters", std::move(parameters)}};
}

std::string overview(const StageTypes& types) {
    std::vector<Cells> rows{{"id", "name", "help"}};
    for (const StageType* type : types) rows.push_back({type->id, type->label, type->help});
    return plainTable(rows) + "\n`echolux stages ID` lists a stage's parameters.\n";
}

std::string answer(const StagesOptions& options) {
    StageTypes types;
    if (options.id.empty()) {
        types = knownStages();
    } else {
        types.push_back(&stageType(options.id));
    }
    if (options.json) {
        Json list = Json::array();
        for (const StageType* type : types) list.push_back(asJson(*type));
        return (options.id.empty() ? list : list.front()).dump(2) + "\n";
    }
    if (options.markdown) {
        Cells sections;
        for (const StageType* type : types) sections.push_back(asMarkdown(*type));
        return fmt::format("{}", fmt::join(sections, "\n"));
    }
    return options.id.empty() ? overview(types) : asPlainText(*types.front());
}

} // namespace

void addStages(CLI::App& app) {
    auto options = std::make_shared<StagesOptions>();
    CLI::App* command = app.add_subcommand("stages", "List the stages, or one stage's parameters");
    acceptBackend(*command);
    command->add_option("ID", options->id, "Stage to describe; without it: all");
    auto* json = command->add_flag("--json", options->json, "As JSON");
    command->add_flag("--markdown", options->markdown, "As Markdown")->excludes(json);
    command
        ->add_option("--test", options->library,
                     "Check the stages of this plugin; its code runs without being asked about")
        ->excludes(json);
    command->callback([options] {
        if (options->library.empty())
            std::fputs(answer(*options).c_str(), stdout);
        else
            testPlugin(options->library);
    });
}

} // namespace echolux
