// SPDX-License-Identifier: GPL-3.0-or-later
// What of a recording and of the parameters the beamformer refuses or warns of.
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

/// Throws Error where `input` cannot be beamformed with `params`: the above, an absurd grid, one
/// that no wave reaches.
void checkBeamformable(const FrameSpec& input, const BeamformParams& params);

/// Rows too coarse for the carrier of RF.
std::vector<std::string> warningsOf(const FrameSpec& input, const BeamformParams& params);

} // namespace echolux::das
