// SPDX-License-Identifier: GPL-3.0-or-later
// Default parameters for a recording.
#pragma once

#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/frame_spec.hpp"

namespace echolux::das {

/// The speed of sound is the recording's. The grid covers the aperture and the recorded depth. It
/// is a volume for matrix and row-column arrays. It has beams for curved arrays, for phased arrays,
/// and for focused transmits (each with its own lines). Else it is an image. The step in depth is
/// lambda / 8 for RF, because the envelope that follows needs samples of the carrier. For complex
/// samples it is lambda / 4, half of that in shallow images and up to twice in deep ones. Throws
/// Error as checkGeometry() does.
BeamformParams defaultParams(const FrameSpec& input);

/// Voxels in m between which a point loses 0.5 dB: 0.2 dB over depth, and 0.15 dB in each direction
/// across.
struct FineVoxel {
    double wide = 0.0; ///< lateral
    double high = 0.0; ///< elevation
    double deep = 0.0;
};
FineVoxel fineVoxel(const FrameSpec& input, const BeamformParams& params);
/// What a point halfway between the voxels of a volume loses, in dB.
double voxelLossDb(const FrameSpec& input, const BeamformParams& params);

} // namespace echolux::das
