// SPDX-License-Identifier: GPL-3.0-or-later
// A beamformer's grid cut down to a slice or a pixel, for work that needs no more of the image.
#pragma once

#include "app/pipeline/pipeline_config.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstdint>

namespace echolux {

/// Lets a stage `beamform` image one slice of a volume: number `slice` of `image`, or the nearest.
void cutToSlice(StageConfig& stage, const FrameSpec& image, std::int64_t slice);

/// Lets a stage `beamform` with the parameters `params` image the row at `depthM`, on a grid of
/// beams the one at that range; elsewhere only the pixel at (lateralM, depthM). In m.
void cutToPixel(StageConfig& stage, const BeamformParams& params, double lateralM, double depthM);

} // namespace echolux
