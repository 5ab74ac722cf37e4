// SPDX-License-Identifier: GPL-3.0-or-later
// From a recording's geometry and the parameters to the numbers that the beamformer works with.
#pragma once

#include "gpu/beamform/beamform_formula.hpp"
#include "gpu/core/frame_spec.hpp"

#include <string>
#include <vector>

namespace echolux::das {

/// Throws Error where `input` cannot be beamformed with `params`: geometry missing or not that of a
/// linear array, numbers that are not finite, an absurd grid.
void checkBeamformable(const FrameSpec& input, const BeamformParams& params);

/// Rows too coarse for the carrier of RF.
std::vector<std::string> warningsOf(const FrameSpec& input, const BeamformParams& params);

/// The image: f32 from RF, complex_f32 from IQ, [depth][lateral] in m.
FrameSpec imageSpec(const FrameSpec& input, const BeamformParams& params);

/// Grid over the aperture and the recorded depth, speed of sound from the recording. Pixels in
/// depth: lambda / 8 for RF, whose carrier must be sampled for the envelope that follows; for
/// complex samples lambda / 4, half of that in shallow images, up to twice in deep ones.
BeamformParams defaultParams(const FrameSpec& input);

/// Host copies of the arrays that Constants points to.
struct Model {
    Constants constants; ///< its array pointers are null
    std::vector<Element> elements;
    std::vector<TransmitConstants> transmits; ///< those switched on
    std::vector<float> receiveWeights;        ///< [transmit of the frame][element]; empty: all 1

    /// Constants that point to this model's own arrays, for the host.
    Constants onHost() const;
};

/// Of an input and parameters that checkBeamformable() lets pass.
Model makeModel(const FrameSpec& input, const BeamformParams& params);

} // namespace echolux::das
