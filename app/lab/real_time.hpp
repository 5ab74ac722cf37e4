// SPDX-License-Identifier: GPL-3.0-or-later
// Whether imaging keeps up with the probe (Gronvold 2008, chapter 5 and Table 6): samples computed
// per second over those that arrive while it receives, one record per channel at a time.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <optional>

namespace echolux::lab {

/// Of one raw frame of channel data. A complex sample counts as one.
struct ProbeRates {
    double samplesPerS = 0.0;     ///< channels x sampling frequency
    double bytesPerS = 0.0;       ///< the same as they are recorded
    double samplesPerFrame = 0.0; ///< transmits x channels x samples
    double depthM = 0.0;          ///< where the last sample of a record comes from: c t / 2
    /// One pulse after the other without a pause: c / (2 depth) / transmits, each transmit with its
    /// own record's end.
    double pulseFramesPerS = 0.0;

    /// framesPerS samplesPerFrame / samplesPerS: 1 keeps up without a pause between records.
    double timesRealTime(double framesPerS) const {
        return framesPerS * samplesPerFrame / samplesPerS;
    }
};

/// Nothing of frames that are no channel data.
std::optional<ProbeRates> probeRates(const FrameSpec& raw);

} // namespace echolux::lab
