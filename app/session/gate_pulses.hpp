// SPDX-License-Identifier: GPL-3.0-or-later
// What turns the pulses of the gate of spectral Doppler into sound.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace echolux {

/// The output of a stage with a gate that holds its pulses.
inline constexpr const char* kGateOutput = "pulses";

struct GatePulses {
    std::string output;        ///< "pulses@spectral_doppler"
    double rateHz = 0.0;       ///< pulses per second; 0: unknown
    double wallHz = 0.0;       ///< Doppler frequency of the wall filter; 0: none
    bool inverted = false;     ///< flow away from the probe counts as towards it
    std::int64_t perFrame = 1; ///< new pulses per frame of the pipeline

    bool operator==(const GatePulses&) const = default;
};

/// Of the first active stage `spectral_doppler`; null where there is none.
std::optional<GatePulses> gatePulses(const Snapshot& snapshot);

} // namespace echolux
