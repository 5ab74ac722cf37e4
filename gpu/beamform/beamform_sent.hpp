// SPDX-License-Identifier: GPL-3.0-or-later
// Waves in a medium whose speed of sound is not the one that the device set its delays for.
#pragma once

#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/frame_spec.hpp"

#include <vector>

namespace echolux::das {

/// The transmits as they travel at another speed of sound. What a device fixed are the times at
/// which its elements fire. Angles and sources follow from them and from the speed of sound: a
/// plane wave of a flat array keeps sin(angle) / speed; of other waves the direction or the source
/// is fitted to the times by least squares. Times of samples and of the mixer's phase move with the
/// moment at which the new wave crosses the origin. Single elements stay as they are.
std::vector<Transmit> sentTransmits(const Acquisition& acquisition, double soundSpeedMps);

/// `input` with the transmits at `soundSpeedMps`; `input` itself where the device set its delays
/// for that speed, or where `params` take the angles as they are written.
FrameSpec sentAt(const FrameSpec& input, const BeamformParams& params, double soundSpeedMps);

} // namespace echolux::das
