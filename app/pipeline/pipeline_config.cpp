// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and writing pipeline files.
#include "app/pipeline/pipeline_config.hpp"

#include "embedded/pipelineFiles.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml.hpp>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace echolux {
namespace {

constexpr std::int64_t kVersion = 1;

void checkKeys(const toml::value& table, const std::set<std::string>& allowed,
               const std::string& where) {
    for (const auto& [key, value] : table.as_table()) {
        if (!allowed.contains(key)) {
            throw Error(fmt::format("{}, line {}: the key '{}' is not known; use {}.", where,
                                    value.location().line(), key, fmt::join(allowed, ", ")));
        }
    }
}

ParamValue toParamValue(const toml::value& value, const std::string& where) {
    if (value.is_boolean()) return value.as_boolean();
    if (value.is_integer()) return static_cast<std::int64_t>(value.as_integer());
    if (value.is_floating()) return value.as_floating();
    if (value.is_string()) return value.as_string().str;
    if (value.is_array()) {
        std::vector<double> list;
        for (const toml::value& each : value.as_array()) {
            if (each.is_integer()) {
                list.push_back(static_cast<double>(each.as_integer()));
            } else if (each.is_floating()) {
                list.push_back(each.as_floating());
            } else {
                throw Error(fmt::format("{}, line {}: a list holds numbers only.", where,
                                        each.location().line()));
            }
        }
        return list;
    }
    throw Error(fmt::format(
        "{}, line {}: a parameter is true, false, a number, a text or a list of numbers.", where,
        value.location().line()));
}

StageConfig toStage(const toml::value& entry, const StageConfig* previous,
                    const std::string& origin) {
    checkKeys(entry, {"id", "type", "input", "bypass", "set"}, origin);
    const auto line = entry.location().line();
    if (!entry.contains("type")) {
        throw Error(fmt::format(
            "{}, line {}: a [[stage]] needs a type; 'echolux stages' lists them.", origin, line));
    }
    StageConfig stage;
    stage.type = toml::find<std::string>(entry, "type");
    const StageType& type = stageType(stage.type);
    stage.id = toml::find_or<std::string>(entry, "id", type.id);
    stage.bypass = toml::find_or<bool>(entry, "bypass", false);
    if (stage.bypass && !type.bypassable) {
        throw Error(
            fmt::format("{}, line {}: stage '{}' cannot be bypassed.", origin, line, stage.id));
    }
    if (entry.contains("input")) {
        const auto input = toml::find<std::string>(entry, "input");
        const std::string expected = previous != nullptr ? previous->id : "recording";
        if (input != expected) {
            throw Error(fmt::format(
                "{}, line {}: stage '{}' takes its input from '{}', but this version runs chains "
                "only; put it right after that stage (here it follows '{}').",
                origin, line, stage.id, input, expected));
        }
    }
    if (entry.contains("set")) {
        const std::string owner = fmt::format("{}, stage '{}'", origin, stage.id);
        const auto& set = toml::find<toml::table>(entry, "set");
        Params checked(type.table);
        for (const auto& [key, value] : set) checked.set(owner, key, toParamValue(value, origin));
        for (const ParamRow& row : type.table.rows()) {
            if (set.contains(row.key)) stage.values.emplace_back(row.key, checked.get(row.key));
        }
    }
    return stage;
}

std::string tomlText(const ParamValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        std::ostringstream out;
        out << toml::value(*text);
        return out.str();
    }
    if (const auto* real = std::get_if<double>(&value)) return fmt::format("{:#}", *real);
    return ParamTable::format(value);
}

} // namespace

PipelineConfig parsePipeline(std::string_view toml, const std::string& origin) {
    try {
        std::istringstream stream{std::string(toml)};
        const toml::value root = toml::parse(stream, origin);
        checkKeys(root, {"version", "name", "stage"}, origin);
        const auto version = toml::find_or<std::int64_t>(root, "version", 0);
        if (version != kVersion) {
            throw Error(
                fmt::format("{} has pipeline version {}, but this program reads version {}; write "
                            "'version = {}' or use a newer program.",
                            origin, version, kVersion, kVersion));
        }
        PipelineConfig config;
        config.name = toml::find_or<std::string>(root, "name", origin);
        if (!root.contains("stage") || !root.at("stage").is_array() ||
            root.at("stage").as_array().empty()) {
            throw Error(
                fmt::format("{} names no stage; add at least one [[stage]] with a type.", origin));
        }
        for (const toml::value& entry : root.at("stage").as_array()) {
            config.stages.push_back(
                toStage(entry, config.stages.empty() ? nullptr : &config.stages.back(), origin));
            const std::string& id = config.stages.back().id;
            if (std::ranges::count(config.stages, id, &StageConfig::id) > 1) {
                throw Error(fmt::format(
                    "{}, line {}: the stage id '{}' is used twice; give one of them its own 'id'.",
                    origin, entry.location().line(), id));
            }
        }
        return config;
    } catch (const Error&) {
        throw;
    } catch (const toml::exception& error) {
        throw Error(
            fmt::format("{} is no pipeline file: line {} is not valid TOML; correct it there.",
                        origin, error.location().line()));
    } catch (const std::exception& error) {
        throw Error(fmt::format("{} is not a pipeline file: {}.", origin, error.what()));
    }
}

PipelineConfig loadPipeline(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Error(
            fmt::format("The pipeline file {} cannot be read; check the path.", path.string()));
    constexpr std::size_t kLongest = std::size_t{1} << 20;
    std::string text(kLongest + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.empty() || text.size() > kLongest || text.find('\0') != std::string::npos) {
        throw Error(
            fmt::format("{} is no pipeline file: it is {}; give a TOML file that names stages.",
                        path.string(), text.empty() ? "empty or a folder" : "not a text"));
    }
    return parsePipeline(text, path.filename().string());
}

std::string toToml(const PipelineConfig& config) {
    std::ostringstream out;
    out << "version = " << kVersion << "\nname = " << toml::value(config.name) << '\n';
    for (const StageConfig& stage : config.stages) {
        out << "\n[[stage]]\ntype = \"" << stage.type << "\"\n";
        if (stage.id != stage.type) out << "id = " << toml::value(stage.id) << '\n';
        if (stage.bypass) out << "bypass = true\n";
        if (stage.values.empty()) continue;
        out << "[stage.set]\n";
        for (const auto& [key, value] : stage.values)
            out << key << " = " << tomlText(value) << '\n';
    }
    return out.str();
}

std::vector<std::string> shippedPipelines() {
    std::vector<std::string> names;
    for (const EmbeddedFile& file : pipelineFiles()) {
        names.emplace_back(file.name.substr(0, file.name.rfind('.')));
    }
    return names;
}

PipelineConfig shippedPipeline(std::string_view name) {
    for (const EmbeddedFile& file : pipelineFiles()) {
        if (file.name.substr(0, file.name.rfind('.')) == name)
            return parsePipeline(file.text, std::string(file.name));
    }
    throw Error(fmt::format("There is no shipped pipeline '{}'; choose one of {} or give a file.",
                            name, fmt::join(shippedPipelines(), ", ")));
}

} // namespace echolux
