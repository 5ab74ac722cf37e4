// SPDX-License-Identifier: GPL-3.0-or-later
// Scan lines by the stages of Echolux for the problem of Gronvold 2008, table 6.
#pragma once

#include "app/commands/bench_documents.hpp"
#include "app/pipeline/snapshot.hpp"
#include "gpu/ladder/scan_lines.hpp"

#include <cstdint>
#include <vector>

namespace echolux {

struct OwnLinesResult {
    double deviceMs = 0.0;   ///< codes in device memory to lines there; all beams
    double streamedMs = 0.0; ///< packed codes in host memory to lines, several frames in flight
    double deviation = 0.0;  ///< of the lines from the formula, given the upsampled samples
    double codeBytes = 0.0;  ///< of a frame, 16 bit
    double packedBytes = 0.0;
};

/// to_float, upsample x 4, beamform: 16 lines of each transmit's own, a Hann window over the
/// aperture. `packed`: 12 bit, else 16.
SnapshotPtr ownLinesSnapshot(const ladder::ScanProblem& shape, bool packed);

/// `codes`: [beam][channel][sample].
OwnLinesResult benchOwnLines(const DocumentBench& bench, const ladder::ScanProblem& shape,
                             const std::vector<std::int16_t>& codes);

} // namespace echolux
