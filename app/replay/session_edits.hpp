// SPDX-License-Identifier: GPL-3.0-or-later
// What entries of a session mean for recordings and pipelines, for all who carry them out.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/snapshot.hpp"
#include "app/replay/session_target.hpp"

#include <memory>
#include <string>
#include <vector>

namespace echolux {

OpenOptions optionsOf(const SessionRecording& recording);

/// See SessionTarget::usePipeline(). Throws Error.
PipelineConfig pipelineCalled(const std::string& name, const FrameSpec& raw);
PipelineConfig pipelineBelow(const std::string& toml);
/// The pipeline of `from` with other values. Throws Error where there is no such stage or
/// parameter.
PipelineConfig withChanges(const Snapshot& from, const std::vector<ParameterChange>& changes);

/// The facts of `raw` with those of a calibration in their place; those of `raw` where `toml` is
/// empty. Throws Error where there are no spectra, or where the calibration does not fit them.
std::shared_ptr<const Spectrometer> factsBelow(const std::string& toml, const FrameSpec& raw);

} // namespace echolux
