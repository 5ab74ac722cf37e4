// SPDX-License-Identifier: GPL-3.0-or-later
// How well the channels agree at each place, for each speed of sound.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/sound_speed/speed_points.hpp"

#include <array>
#include <cstdint>

namespace echolux::sound_speed {

/// An element that a channel listened to.
struct Receiver {
    Vector place;
    float weight; ///< 0: not heard
};

/// All addresses are of compute memory.
struct AgreementTask {
    const Complex* samples;    ///< [transmit][channel][sample]
    const Receiver* receivers; ///< [transmit][channel]
    const Place* places;
    const WaveAt* waves; ///< [speed][transmit]
    float* agreement;    ///< [speed][place]; 0 where nothing is heard
    std::int64_t every;  ///< 4: every fourth place
    std::int64_t used;   ///< places
    std::int64_t speeds;
    std::int32_t transmits;
    std::int32_t channels;
    std::int32_t recordLength;
    float samplingHz;
    float carrierHz;                 ///< of real signals made analytic; else 0
    float mixedHz;                   ///< of IQ data; else 0
    std::array<Complex, 4> tapTurns; ///< the carrier from sample -1 to 2, turned back
};

/// |sum s|^2 / sum |s|^2 over the channels that are heard, for each speed and place.
void agreementsOf(const Exec& exec, const AgreementTask& task);

} // namespace echolux::sound_speed
