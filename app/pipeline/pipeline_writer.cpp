// SPDX-License-Identifier: GPL-3.0-or-later
// Writes pipeline files.
#include "app/pipeline/pipeline_config.hpp"
#include "app/pipeline/pipeline_keys.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

namespace echolux {
namespace {

/// NOTE: without a point or an exponent the number would be an integer, and "1." is no TOML.
/// Versions of fmt differ in what '#' adds.
std::string tomlReal(double value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".en") == std::string::npos) text += ".0"; // n: in inf and nan
    return text;
}

std::string tomlString(const std::string& text) {
    const bool plain = std::ranges::none_of(
        text, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' '; });
    if (plain) return '"' + text + '"';
    std::ostringstream out;
    out << toml::value(text);
    return out.str();
}

std::string tomlText(const ParamValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return tomlString(*text);
    if (const auto* real = std::get_if<double>(&value)) return tomlReal(*real);
    return ParamTable::format(value);
}

} // namespace

std::string toToml(const PipelineConfig& config, const PipelineConfig* full) {
    std::ostringstream out;
    out << "version = " << kPipelineVersion << "\nname = " << tomlString(config.name) << '\n';
    const EnvironmentConfig& environment = config.environment;
    if (environment != EnvironmentConfig{}) out << "\n[environment]\n";
    if (!environment.backend.empty())
        out << "backend = " << tomlString(environment.backend) << '\n';
    if (environment.device) out << "device = " << *environment.device << '\n';
    const RecordingConfig& recording = config.recording;
    if (recording != RecordingConfig{}) out << "\n[" << kRecording << "]\n";
    if (recording.repeats > 0)
        out << kRepeatsKey << " = " << recording.repeats << '\n';
    else if (recording.ensemble > 1)
        out << kEnsembleKey << " = " << recording.ensemble << '\n';
    for (const PluginConfig& plugin : config.plugins)
        out << "\n[[" << kPluginKey << "]]\n"
            << kLibraryKey << " = " << tomlString(plugin.library.string()) << '\n';
    for (std::size_t i = 0; i < config.stages.size(); ++i) {
        const StageConfig& stage = config.stages[i];
        out << "\n[[stage]]\ntype = \"" << stage.type << "\"\n";
        if (stage.id != stage.type) out << "id = " << tomlString(stage.id) << '\n';
        if (stage.bypass) out << "bypass = true\n";
        if (stage.onCpu) out << "backend = \"cpu\"\n";
        if (stage.alone) out << "fuse = false\n";
        const StageConfig& all = full == nullptr ? stage : full->stages[i];
        if (all.values.empty()) continue;
        out << "[stage.set]\n";
        for (const auto& [key, value] : all.values) {
            const bool isSet = std::ranges::any_of( // NOTE: Clang 14 captures no bindings
                stage.values, [&name = key](const auto& each) { return each.first == name; });
            out << (isSet ? "" : "# ") << key << " = " << tomlText(value) << '\n';
        }
    }
    for (const LinkConfig& link : config.links) {
        out << "\n[[link]]\nfrom = " << tomlString(toText(link.from))
            << "\nto = " << tomlString(toText(link.to)) << '\n';
        if (link.ofFrameBefore) out << kFramesBeforeKey << " = 1\n";
    }
    for (const ViewConfig& view : config.views) {
        out << "\n[[view]]\nid = " << tomlString(view.id) << '\n';
        if (!view.label.empty()) out << "label = " << tomlString(view.label) << '\n';
        out << "input = " << tomlString(toText(view.from)) << '\n';
        if (!view.over.empty()) out << "over = " << tomlString(view.over) << '\n';
        if (view.main) out << "main = true\n";
    }
    return out.str();
}

} // namespace echolux
