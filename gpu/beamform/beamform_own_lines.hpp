// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned CUDA kernel for beams that are one transmit's own: focused lines, with one or more
// lines for each transmit. What a block of pixels reads of one element is a short window of a
// record, kept in shared memory where the rows lie close enough; else it is read from the record.
#pragma once

#include "gpu/beamform/beamform_model.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <optional>

namespace echolux::das {

struct OwnLinesLayout {
    bool complex = false;
    int across = 1;       ///< lines of one transmit that lie side by side in a warp
    bool plain = false;   ///< weights are the elements' own, interpolation linear, plain sums
    bool weighed = false; ///< sums of powers and weights
    bool taps = false;    ///< other than linear interpolation
    int rows = 0;         ///< of a thread, where a block's windows lie in shared memory; else 0
};

constexpr int kOwnLinesThreads = 256;
constexpr int kOwnLinesChunk = kOwnLinesThreads / 32; ///< elements whose windows lie there at once
constexpr int kMostAcross = 16;

// Shared memory that an element listed takes: of sums from records, of plain ones, of windows.
constexpr std::size_t kOwnBytesPerPlace = 56;
constexpr std::size_t kOwnBytesPerPlain = 28;
constexpr std::size_t kOwnBytesPerRead = 36;

/// Samples of a window, at most: a multiple of 128, which a warp fills at once.
constexpr int ownPitch(bool complex) { return complex ? 384 : 768; }

/// Empty where beams have no transmits of their own, receive weights change over range, or the
/// array is too large.
std::optional<OwnLinesLayout> ownLinesLayout(const Model& model, bool complex);

/// CUDA only. `constants` point to device memory; samples [transmit][channel][sample], image
/// [depth][lateral].
void sumOwnLines(const Exec& exec, const Constants& constants, const OwnLinesLayout& layout,
                 const void* samples, void* image);

} // namespace echolux::das
