// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and writing pipeline files.
#include "app/pipeline/pipeline_config.hpp"

#include "embedded/pipelineFiles.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace echolux {
namespace {

constexpr std::int64_t kVersion = 1;

toml::source_index lineOf(const toml::node& node) { return node.source().begin.line; }

void checkKeys(const toml::table& table, const std::set<std::string>& allowed,
               const std::string& where) {
    for (const auto& [key, value] : table) {
        if (!allowed.contains(std::string(key.str()))) {
            throw Error(fmt::format("{}, line {}: the key '{}' is not known; use {}.", where,
                                    lineOf(value), key.str(), fmt::join(allowed, ", ")));
        }
    }
}

/// What `table` holds under `key`, none where it has no such key; anything but a `kind` is refused.
template <class T> std::optional<T> valueAt(const toml::table& table, const char* key,
                                            const char* kind, const std::string& where) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    std::optional<T> value = node->value_exact<T>();
    if (!value)
        throw Error(fmt::format("{}, line {}: '{}' must be {}.", where, lineOf(*node), key, kind));
    return value;
}

constexpr const char* kText = "text in quotes";

ParamValue toParamValue(const toml::node& value, const std::string& where) {
    if (const auto flag = value.value_exact<bool>()) return *flag;
    if (const auto whole = value.value_exact<std::int64_t>()) return *whole;
    if (const auto real = value.value_exact<double>()) return *real;
    if (const auto text = value.value_exact<std::string>()) return *text;
    if (const toml::array* entries = value.as_array()) {
        std::vector<double> list;
        for (const toml::node& each : *entries) {
            if (!each.is_number())
                throw Error(
                    fmt::format("{}, line {}: a list holds numbers only.", where, lineOf(each)));
            list.push_back(*each.value<double>());
        }
        return list;
    }
    throw Error(fmt::format(
        "{}, line {}: a parameter is true, false, a number, a text or a list of numbers.", where,
        lineOf(value)));
}

StageConfig toStage(const toml::table& entry, const StageConfig* previous,
                    const std::string& origin) {
    checkKeys(entry, {"id", "type", "input", "bypass", "set"}, origin);
    const toml::source_index line = lineOf(entry);
    const auto typeId = valueAt<std::string>(entry, "type", kText, origin);
    if (!typeId) {
        throw Error(fmt::format(
            "{}, line {}: a [[stage]] needs a type; 'echolux stages' lists them.", origin, line));
    }
    StageConfig stage;
    stage.type = *typeId;
    const StageType& type = stageType(stage.type);
    stage.id = valueAt<std::string>(entry, "id", kText, origin).value_or(type.id);
    stage.bypass = valueAt<bool>(entry, "bypass", "true or false", origin).value_or(false);
    if (stage.bypass && !type.bypassable) {
        throw Error(
            fmt::format("{}, line {}: stage '{}' cannot be bypassed.", origin, line, stage.id));
    }
    if (const auto input = valueAt<std::string>(entry, "input", kText, origin)) {
        const std::string expected = previous != nullptr ? previous->id : "recording";
        if (*input != expected) {
            throw Error(fmt::format(
                "{}, line {}: stage '{}' takes its input from '{}', but this version runs chains "
                "only; put it right after that stage (here it follows '{}').",
                origin, line, stage.id, *input, expected));
        }
    }
    if (const toml::node* node = entry.get("set")) {
        const std::string owner = fmt::format("{}, stage '{}'", origin, stage.id);
        const toml::table* set = node->as_table();
        if (set == nullptr) {
            throw Error(fmt::format("{}, line {}: 'set' must be a table of parameters.", origin,
                                    lineOf(*node)));
        }
        Params checked(type.table);
        for (const auto& [key, value] : *set)
            checked.set(owner, std::string(key.str()), toParamValue(value, origin));
        for (const ParamRow& row : type.table.rows()) {
            if (set->contains(row.key)) stage.values.emplace_back(row.key, checked.get(row.key));
        }
    }
    return stage;
}

/// NOTE: without point or exponent it would be an integer, and with a point alone no TOML; versions
/// of fmt differ in what '#' adds.
std::string tomlReal(double value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".en") == std::string::npos) text += ".0"; // n: of inf and nan
    return text;
}

std::string tomlText(const ParamValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        std::ostringstream out;
        out << toml::value(*text);
        return out.str();
    }
    if (const auto* real = std::get_if<double>(&value)) return tomlReal(*real);
    return ParamTable::format(value);
}

} // namespace

PipelineConfig parsePipeline(std::string_view toml, const std::string& origin) {
    try {
        const toml::table root = toml::parse(toml, origin);
        checkKeys(root, {"version", "name", "stage"}, origin);
        const auto version = root["version"].value_exact<std::int64_t>().value_or(0);
        if (version != kVersion) {
            throw Error(
                fmt::format("{} has pipeline version {}, but this program reads version {}; write "
                            "'version = {}' or use a newer program.",
                            origin, version, kVersion, kVersion));
        }
        PipelineConfig config;
        config.name = valueAt<std::string>(root, "name", kText, origin).value_or(origin);
        const toml::array* stages = root["stage"].as_array();
        if (stages == nullptr || stages->empty()) {
            throw Error(
                fmt::format("{} names no stage; add at least one [[stage]] with a type.", origin));
        }
        for (const toml::node& each : *stages) {
            const toml::table* entry = each.as_table();
            if (entry == nullptr) {
                throw Error(fmt::format("{}, line {}: 'stage' must be a list of tables [[stage]].",
                                        origin, lineOf(each)));
            }
            config.stages.push_back(
                toStage(*entry, config.stages.empty() ? nullptr : &config.stages.back(), origin));
            const std::string& id = config.stages.back().id;
            if (std::ranges::count(config.stages, id, &StageConfig::id) > 1) {
                throw Error(fmt::format(
                    "{}, line {}: the stage id '{}' is used twice; give one of them its own 'id'.",
                    origin, lineOf(each), id));
            }
        }
        return config;
    } catch (const Error&) {
        throw;
    } catch (const toml::parse_error& error) {
        throw Error(
            fmt::format("{} is no pipeline file: line {} is not valid TOML; correct it there.",
                        origin, error.source().begin.line));
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
