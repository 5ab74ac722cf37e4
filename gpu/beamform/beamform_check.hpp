// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of a recording and of the parameters: what the beamformer refuses, and what it warns of.
#pragma once

#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/frame_spec.hpp"

#include <string>
#include <vector>

namespace echolux::das {

/// Throws Error where the geometry of `input` is missing or contradicts itself or the data.
void checkGeometry(const FrameSpec& input);

/// Throws Error where the records are empty or their sampling is unknown.
void checkSampling(const FrameSpec& input);

/// Throws Error where `input` cannot be beamformed with `params`: for the reasons above, or because
/// the grid is absurd or no wave reaches it.
void checkBeamformable(const FrameSpec& input, const BeamformParams& params);

/// Warnings: rows that are too coarse for the carrier of RF.
std::vector<std::string> warningsOf(const FrameSpec& input, const BeamformParams& params);

} // namespace echolux::das
