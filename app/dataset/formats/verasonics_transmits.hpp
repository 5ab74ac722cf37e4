// SPDX-License-Identifier: GPL-3.0-or-later
// From TX and TW of a Verasonics workspace to waves on the common clock.
#pragma once

#include "app/dataset/formats/verasonics_probe.hpp"

#include <string>
#include <vector>

namespace echolux {

/// Without times of samples: those of the clock that starts when the first element fires.
struct VerasonicsWave {
    Transmit transmit;
    /// From the start of the clock until the middle of the pulse crosses the origin and, with the
    /// way back, the lens twice.
    double leadS = 0.0;
    double pulseHz = 0.0; ///< of the waveform
};

/// `index` of the TX struct, from 0; `depthM`: in the midst of the recording. What was assumed goes
/// to `warnings`.
VerasonicsWave readVerasonicsWave(const VerasonicsValues& values, const VerasonicsProbe& probe,
                                  std::size_t index, double depthM,
                                  std::vector<std::string>& warnings);

} // namespace echolux
