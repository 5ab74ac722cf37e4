// SPDX-License-Identifier: GPL-3.0-or-later
// From the tables of a TOML file to a pipeline.
#pragma once

#include "app/pipeline/pipeline_config.hpp"

#include <toml++/toml.h>

#include <filesystem>
#include <string>

namespace echolux {

/// Loads the plugins that the file names. Throws Error with the place of what is wrong; how stages
/// are connected is not looked at.
PipelineConfig readPipeline(const toml::table& root, const std::string& origin,
                            const std::filesystem::path& folder);

} // namespace echolux
