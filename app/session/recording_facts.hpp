// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a recording, in words and units for people.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <string>
#include <vector>

namespace echolux {

struct RecordingFact {
    std::string name; ///< "Frame rate"
    std::string text; ///< "25 Hz", or "unknown"
};

/// Depths straight below the array's centre that the samples of every transmit cover. An echo from
/// there returns after about 2 z / c. [m]
struct CoveredDepths {
    double min = 0.0;
    double max = 0.0;
};
CoveredDepths coveredDepths(const FrameSpec& frame);

/// In the order of `echolux info`: the file, its frames, how they were taken, notes, warnings.
std::vector<RecordingFact> recordingFacts(const RecordingInfo& info);

} // namespace echolux
