// SPDX-License-Identifier: GPL-3.0-or-later
// Converts TX and TW of a Verasonics workspace to waves on the common clock.
#pragma once

#include "app/dataset/formats/verasonics_probe.hpp"

#include <string>
#include <vector>

namespace echolux {

/// A wave without sample times. Its clock starts at the zero of the transmit delays.
struct VerasonicsWave {
    Transmit transmit;
    /// Time from the start of this clock until the middle of the pulse passes the origin, plus two
    /// passages through the lens.
    double leadS = 0.0;
    double pulseHz = 0.0; ///< frequency of the waveform
};

/// `index` counts the entries of TX from 0. `depthM`: a depth in the middle of the recording. Adds
/// a warning for each assumption.
VerasonicsWave readVerasonicsWave(const VerasonicsValues& values, const VerasonicsProbe& probe,
                                  std::size_t index, double depthM,
                                  std::vector<std::string>& warnings);

} // namespace echolux
