// SPDX-License-Identifier: GPL-3.0-or-later
// The strongest singular vectors of an ensemble, and the ensemble without some of them.
#pragma once

#include "gpu/flow/frame_mixing.hpp"

#include <cstddef>

namespace echolux::flow {

/// Most vectors that leadingSubspace() finds.
inline constexpr int kMostLeading = 64;

/// Bytes of scratch memory for leadingSubspace().
std::size_t leadingBytes(int frames, std::int64_t pixels, int count);
/// Complex numbers of the vectors.
std::size_t leadingSize(int frames, int count);

/// Writes the `count` strongest right singular vectors of the ensemble to `vectors`, orthonormal,
/// strongest first, by simultaneous iteration on the Gram matrix (Golub and Van Loan, Matrix
/// Computations, 4th ed., 8.2.4). After its twelve rounds neighbouring vectors are still mixed
/// where their singular values differ by less than a third: they are equally strong, so that it
/// matters little which of them counts as tissue. Frames that depend on each other leave vectors of
/// zeros. Enqueues without waiting. `count` is at most kMostLeading and at most the frames.
void leadingSubspace(const Exec& exec, const char* name, const MixedFrames& ensemble, int count,
                     void* scratch, Complex* vectors);

/// The vectors that keepPart() leaves of those that leadingSubspace() found.
struct KeptPart {
    int first = 0;          ///< from 0
    int end = 0;            ///< one beyond the last
    bool weakerToo = false; ///< all that is not in the vectors, too; then `first` to `end` are what
                            ///< is removed
};
/// `ensemble.out` becomes the part of `ensemble.in` along the vectors that are kept.
void keepPart(const Exec& exec, const char* name, const MixedFrames& ensemble,
              const Complex* vectors, int count, const KeptPart& part);

} // namespace echolux::flow
