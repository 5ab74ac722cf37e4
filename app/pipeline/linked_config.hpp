// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of a pipeline as written. They need no recording.
#pragma once

#include "app/pipeline/pipeline_config.hpp"

#include <string>

namespace echolux {

/// The same pipeline with every link and every view written, and its stages in an order in which
/// they can run. Throws Error as wire() does.
PipelineConfig linked(const PipelineConfig& config);

/// Removes a stage from a linked pipeline. Each input and view that took one of its outputs takes
/// what the stage took at its first port. Throws Error where there is no such stage.
void takeOut(PipelineConfig& config, const std::string& id);

/// The pipeline that shows `view` and nothing else, with the stages that lead to it. Throws Error
/// as wire() does.
PipelineConfig onlyView(PipelineConfig config, ViewConfig view);

} // namespace echolux
