// SPDX-License-Identifier: GPL-3.0-or-later
// Scan lines computed by the stages of Echolux for the problem of Gronvold 2008, table 6.
#pragma once

#include "app/bench/documents.hpp"
#include "app/pipeline/snapshot.hpp"
#include "gpu/ladder/scan_lines.hpp"

#include <cstdint>
#include <vector>

namespace echolux {

struct OwnLinesResult {
    double deviceMs = 0.0; ///< from codes to lines in device memory, all beams
    /// From packed codes in host memory to lines, with several frames in flight.
    double streamedMs = 0.0;
    /// Difference of the lines from the formula, for the same upsampled samples.
    double deviation = 0.0;
    double codeBytes = 0.0; ///< bytes of a frame with 16-bit codes
    double packedBytes = 0.0;
};

/// to_float, upsample x 4, beamform: each transmit makes 16 lines of its own, with a Hann window
/// over the aperture. `packed`: 12-bit codes, otherwise 16-bit.
SnapshotPtr ownLinesSnapshot(const ladder::ScanProblem& shape, bool packed);

/// `codes`: [beam][channel][sample].
OwnLinesResult benchOwnLines(const DocumentBench& bench, const ladder::ScanProblem& shape,
                             const std::vector<std::int16_t>& codes);

} // namespace echolux
