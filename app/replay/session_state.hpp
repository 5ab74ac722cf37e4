// SPDX-License-Identifier: GPL-3.0-or-later
// What a session has led to, and the entries that lead from one state to another.
#pragma once

#include "app/pipeline/pipeline_config.hpp"
#include "app/replay/session_target.hpp"
#include "gpu/core/frame_spec.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

struct SessionState {
    SessionRecording recording;
    PipelineConfig pipeline;
    std::string calibration = {}; ///< TOML; empty: the recording's own
    std::map<std::string, std::string> display = {};
    std::map<std::string, std::string> parts = {}; ///< of the document: their texts by their names
};

/// A shipped pipeline as it is fitted to a recording.
struct FittedPipeline {
    std::string name; ///< that of its file
    PipelineConfig config;
};
/// The one with the title of `config`. Empty where there is none.
std::optional<FittedPipeline> shippedLike(const PipelineConfig& config, const FrameSpec& raw);

/// The entries that lead to `state`. Paths below `folder` are written relative to it. A pipeline
/// with other stages than `shipped` is written whole.
std::vector<SessionEntry> openingEntries(const SessionState& state,
                                         const std::optional<FittedPipeline>& shipped,
                                         const std::filesystem::path& folder);
/// The entries that lead from one state of the same recording to another.
std::vector<SessionEntry> entriesBetween(const SessionState& from, const SessionState& to);
SessionEntry entryOf(const ParameterChange& change);

} // namespace echolux
