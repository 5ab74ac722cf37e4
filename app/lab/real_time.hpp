// SPDX-License-Identifier: GPL-3.0-or-later
// Tells whether imaging keeps up with the transducer (Gronvold 2008, chapter 5 and Table 6).
// Compares the samples computed per second with the samples that arrive per second during
// reception, when each channel delivers one record at a time.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <cstdint>
#include <optional>

namespace echolux::lab {

/// Rates of raw frames of channel data. A complex sample counts as one.
struct ProbeRates {
    double samplesPerS = 0.0;     ///< channels x sampling frequency
    double bytesPerS = 0.0;       ///< the same in bytes of the recorded type
    double samplesPerFrame = 0.0; ///< transmits x channels x samples
    double depthM = 0.0;          ///< depth of the last sample of a record: c t / 2, one way c t
    /// Frames per second with one pulse after the other and no pause: c / (2 depth) / transmits,
    /// with the depth of each transmit's own record.
    double pulseFramesPerS = 0.0;

    /// framesPerS samplesPerFrame / samplesPerS: at 1 imaging just keeps up, without a pause
    /// between records.
    double timesRealTime(double framesPerS) const {
        return framesPerS * samplesPerFrame / samplesPerS;
    }
};

/// Empty where the frames are no channel data.
std::optional<ProbeRates> probeRates(const FrameSpec& raw);

/// Number of cards that keep up together where one of them reaches `timesRealTime`: the smallest
/// integer not below 1 / timesRealTime (Gronvold 2008, Table 6). 0 where nothing was timed.
std::int64_t cardsForRealTime(double timesRealTime);

} // namespace echolux::lab
