// SPDX-License-Identifier: GPL-3.0-or-later
// Differences of states as entries.
#include "app/replay/session_state.hpp"

#include "app/pipeline/snapshot.hpp"
#include "gpu/stage/param_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace echolux {
namespace {

using namespace session_words;

/// Stages, links and views alone.
std::string graphOf(PipelineConfig config) {
    for (StageConfig& stage : config.stages) {
        stage.values.clear();
        stage.bypass = false;
    }
    return toToml(config);
}

std::optional<ParamValue> valueIn(const StageConfig& stage, const std::string& key) {
    const auto at =
        std::ranges::find(stage.values, key, &std::pair<std::string, ParamValue>::first);
    return at == stage.values.end() ? std::nullopt : std::optional(at->second);
}

/// Of two pipelines with the same graph.
std::vector<ParameterChange> changedValues(const StageConfig& from, const StageConfig& to) {
    std::vector<ParameterChange> changes;
    for (const auto& [key, value] : to.values)
        if (valueIn(from, key) != std::optional(value))
            changes.push_back({to.id, key, ParamTable::format(value)});
    for (const auto& [key, value] : from.values)
        if (!valueIn(to, key)) changes.push_back({to.id, key, std::nullopt});
    return changes;
}

SessionEntry entryOf(const std::vector<ParameterChange>& changes) {
    if (changes.size() == 1) return echolux::entryOf(changes.front());
    SessionEntry all{.id = kParameters};
    for (const ParameterChange& each : changes)
        all.text += fmt::format("{}.{}{}{}\n", each.stage, each.key, each.value ? " " : "",
                                each.value.value_or(""));
    return all;
}

void addPipeline(const PipelineConfig& from, const PipelineConfig& to,
                 std::vector<SessionEntry>& entries) {
    if (toToml(from) == toToml(to)) return;
    if (graphOf(from) != graphOf(to)) {
        entries.push_back({.id = kPipelineText, .text = toToml(to)});
        return;
    }
    std::vector<ParameterChange> changes;
    for (std::size_t i = 0; i < to.stages.size(); ++i) {
        const StageConfig& stage = to.stages[i];
        if (from.stages[i].bypass != stage.bypass)
            entries.push_back({.id = fmt::format("{}.{}.{}", kParameters, stage.id, kBypass),
                               .value = stage.bypass ? "on" : "off"});
        const auto each = changedValues(from.stages[i], stage);
        changes.insert(changes.end(), each.begin(), each.end());
    }
    if (!changes.empty()) entries.push_back(entryOf(changes));
}

void addDisplay(const std::map<std::string, std::string>& from,
                const std::map<std::string, std::string>& to, std::vector<SessionEntry>& entries) {
    for (const auto& [key, value] : to) {
        const auto before = from.find(key);
        if (before == from.end() || before->second != value)
            entries.push_back({.id = fmt::format("{}.{}", kDisplay, key), .value = value});
    }
}

void addParts(const std::map<std::string, std::string>& from,
              const std::map<std::string, std::string>& to, std::vector<SessionEntry>& entries) {
    const auto textIn = [](const auto& parts, const std::string& name) {
        const auto at = parts.find(name);
        return at == parts.end() ? std::string() : at->second;
    };
    for (const auto& [name, text] : to)
        if (textIn(from, name) != text)
            entries.push_back({.id = fmt::format("{}.{}", kPart, name), .text = text});
}

std::string written(const std::filesystem::path& path, const std::filesystem::path& folder) {
    const std::filesystem::path relative = path.lexically_relative(folder);
    return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

} // namespace

SessionEntry entryOf(const ParameterChange& change) {
    return {.id = fmt::format("{}.{}.{}", kParameters, change.stage, change.key),
            .value = change.value.value_or("")};
}

std::optional<FittedPipeline> shippedLike(const PipelineConfig& config, const FrameSpec& raw) {
    for (const std::string& name : shippedPipelines())
        if (shippedPipeline(name).name == config.name)
            return FittedPipeline{name, fittedPipeline(name, raw)};
    return std::nullopt;
}

std::vector<SessionEntry> openingEntries(const SessionState& state,
                                         const std::optional<FittedPipeline>& shipped,
                                         const std::filesystem::path& folder) {
    const SessionRecording& recording = state.recording;
    std::vector<SessionEntry> entries;
    if (!recording.sidecar.empty())
        entries.push_back({.id = kSidecar, .value = written(recording.sidecar, folder)});
    if (!recording.calibration.empty())
        entries.push_back(
            {.id = kCalibrationFile, .value = written(recording.calibration, folder)});
    if (!recording.sha256.empty()) entries.push_back({.id = kSha256, .value = recording.sha256});
    if (recording.track > 0)
        entries.push_back({.id = kTrack, .value = std::to_string(recording.track)});
    entries.push_back({.id = kOpen, .value = written(recording.file, folder)});
    if (!state.calibration.empty())
        entries.push_back({.id = kCalibration, .text = state.calibration});
    if (shipped && graphOf(shipped->config) == graphOf(state.pipeline)) {
        entries.push_back({.id = kPipeline, .value = shipped->name});
        addPipeline(shipped->config, state.pipeline, entries);
    } else {
        entries.push_back({.id = kPipelineText, .text = toToml(state.pipeline)});
    }
    addDisplay({}, state.display, entries);
    for (const auto& [name, text] : state.parts) // also those that are empty
        entries.push_back({.id = fmt::format("{}.{}", kPart, name), .text = text});
    return entries;
}

std::vector<SessionEntry> entriesBetween(const SessionState& from, const SessionState& to) {
    std::vector<SessionEntry> entries;
    if (from.calibration != to.calibration)
        entries.push_back({.id = kCalibration, .text = to.calibration});
    addPipeline(from.pipeline, to.pipeline, entries);
    addDisplay(from.display, to.display, entries);
    addParts(from.parts, to.parts, entries);
    return entries;
}

} // namespace echolux
