// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned CUDA kernel for beams that belong to one transmit each: focused lines, with one or more
// lines per transmit. A block of pixels reads only a short window of each element's record. The
// window is kept in shared memory where the rows are close enough; else samples are read from the
// record.
#pragma once

#include "gpu/beamform/beamform_model.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <optional>

namespace echolux::das {

struct OwnLinesLayout {
    bool complex = false;
    int across = 1;       ///< lines of one transmit that are side by side in a warp
    bool plain = false;   ///< each element has one weight for all pixels, interpolation is linear,
                          ///< sums are plain; records are read directly
    bool weighed = false; ///< computes sums of powers and weights as well
    bool taps = false;    ///< interpolation is not linear
    int rows = 0; ///< rows per thread, where a block's windows are in shared memory; else 0.
                  ///< Their sums are plain; weights may follow the aperture of the beam
};

constexpr int kOwnLinesThreads = 256;
constexpr int kOwnLinesChunk = kOwnLinesThreads / 32; ///< elements whose windows are in shared
                                                      ///< memory at once
constexpr int kMostAcross = 16;

// Shared memory per listed element: for sums from records, for plain sums, for windows.
constexpr std::size_t kOwnBytesPerPlace = 56;
constexpr std::size_t kOwnBytesPerPlain = 28;
constexpr std::size_t kOwnBytesPerRead = 36;

/// Most samples of a window: a multiple of 128, which a warp fills at once.
constexpr int ownPitch(bool complex) { return complex ? 384 : 768; }

/// Empty where beams do not belong to single transmits, receive weights change over range, or the
/// array is too large.
std::optional<OwnLinesLayout> ownLinesLayout(const Model& model, bool complex);

/// CUDA only. `constants` point to device memory; samples [transmit][channel][sample], image
/// [depth][lateral].
void sumOwnLines(const Exec& exec, const Constants& constants, const OwnLinesLayout& layout,
                 const void* samples, void* image);

} // namespace echolux::das
