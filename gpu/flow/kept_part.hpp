// SPDX-License-Identifier: GPL-3.0-or-later
// An ensemble along some of its singular vectors, or without them.
#pragma once

#include "gpu/flow/frame_mixing.hpp"
#include "gpu/flow/singular_parts.hpp"

namespace echolux::flow {

/// The vectors that keepPart() leaves.
struct KeptPart {
    int first = 0;          ///< from 0
    int end = 0;            ///< one beyond the last
    bool weakerToo = false; ///< all that is not in the vectors, too; then `first` to `end` are what
                            ///< is removed
};
/// `ensemble.out` becomes the part of `ensemble.in` along the vectors that are kept, of the `count`
/// that leadingSubspace() found.
void keepPart(const Exec& exec, const char* name, const MixedFrames& ensemble,
              const Complex* vectors, int count, const KeptPart& part);

/// Vectors of each block, and which of them are kept.
struct BlockVectors {
    const Complex* vectors; ///< [block][frame][paddedVectors(count)]; beyond `count` zero
    int count;
    KeptPart part;                         ///< of each block
    const SingularRange* ranges = nullptr; ///< [block]: kept instead of `part`
};
/// The same for each block of the images [slice][depth][lateral]: a pixel is the mean of what it is
/// in the blocks that hold it, by their weights (BlockAxis::weight).
void keepParts(const Exec& exec, const char* name, const MixedFrames& ensemble,
               const ImageBlocks& blocks, const BlockVectors& found);

} // namespace echolux::flow
