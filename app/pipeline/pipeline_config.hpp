// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline as written in a TOML file: stages in order, links, parameter values.
#pragma once

#include "gpu/stage/param_table.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux {

struct StageConfig {
    std::string id;   ///< of the instance; the type's id unless the file names it
    std::string type; ///< see stageType()
    bool bypass = false;
    std::vector<std::pair<std::string, ParamValue>> values; ///< those that differ from the defaults
};

/// A chain: each stage takes the output of the one before it.
struct PipelineConfig {
    std::string name;
    std::vector<StageConfig> stages;
};

/// Throws Error naming `origin`, the line where known, and what to change.
PipelineConfig parsePipeline(std::string_view toml, const std::string& origin);
PipelineConfig loadPipeline(const std::filesystem::path& path);
std::string toToml(const PipelineConfig& config);

/// The pipelines that come with the program, by file name without ".toml".
std::vector<std::string> shippedPipelines();
PipelineConfig shippedPipeline(std::string_view name);

} // namespace echolux
