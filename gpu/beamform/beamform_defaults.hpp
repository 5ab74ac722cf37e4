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

} // namespace echolux::das
