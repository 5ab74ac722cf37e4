// SPDX-License-Identifier: GPL-3.0-or-later
// The strongest singular vectors of an ensemble, or of each block of its images.
#pragma once

#include "gpu/flow/frame_mixing.hpp"

#include <cstddef>

namespace echolux::flow {

/// Most vectors that leadingSubspace() finds.
inline constexpr int kMostLeading = 64;

/// Most frames of which unclear vectors are told apart by all eigenvectors in double precision. Of
/// 200 frames that takes thirty times as long as the iteration.
inline constexpr int kMostSettled = 128;

/// Bytes of scratch memory for leadingSubspace().
std::size_t leadingBytes(int frames, std::int64_t pixels, int count);
/// Numbers that each frame has for `count` vectors: they are read in eights.
inline int paddedVectors(int count) { return (count + 7) / 8 * 8; }
/// Complex numbers of the vectors, [frame][paddedVectors(count)]; beyond `count` zero.
std::size_t leadingSize(int frames, int count);

/// Writes the `count` strongest right singular vectors of the ensemble to `vectors`, orthonormal,
/// by simultaneous iteration on the Gram matrix (Golub and Van Loan, Matrix Computations, 4th ed.,
/// 8.2.4). Up to kMostSettled frames, only what they span together counts: where the weakest of
/// them is not clearly stronger than the next one, they are found in double precision instead
/// (gpu/flow/hermitian_eigen.hpp), however near to each other both are. Of more frames, they are
/// written after twelve rounds, and neighbouring vectors are still mixed where their singular
/// values differ by less than a third. Frames that depend on each other leave vectors of zeros.
/// Enqueues without waiting. `count` is at most kMostLeading and at most the frames.
void leadingSubspace(const Exec& exec, const char* name, const MixedFrames& ensemble, int count,
                     void* scratch, Complex* vectors);

/// The same for each block of the images, from its own pixels, all blocks at once: `vectors`
/// [block][leadingSize()].
std::size_t leadingBytes(int frames, const ImageBlocks& blocks, int count);
void leadingSubspaces(const Exec& exec, const char* name, const MixedFrames& ensemble,
                      const ImageBlocks& blocks, int count, void* scratch, Complex* vectors);

} // namespace echolux::flow
