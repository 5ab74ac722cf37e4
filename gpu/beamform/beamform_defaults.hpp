// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters that suit a recording as it comes.
#pragma once

#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/frame_spec.hpp"

namespace echolux::das {

/// Speed of sound from the recording, grid over the aperture and the recorded depth: a volume for
/// matrix and row-column arrays; beams for curved arrays, for focused transmits (each with its own
/// lines) and for phased arrays; an image else. Pixels in depth: lambda / 8 for RF, whose carrier
/// must be sampled for the envelope that follows; for complex samples lambda / 4, half of that in
/// shallow images, up to twice in deep ones. Throws Error as checkGeometry() does.
BeamformParams defaultParams(const FrameSpec& input);

} // namespace echolux::das
