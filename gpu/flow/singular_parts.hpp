// SPDX-License-Identifier: GPL-3.0-or-later
// All singular values of an ensemble, and the rules that choose a range of them.
#pragma once

#include "gpu/flow/leading_subspace.hpp"

#include <cstddef>

namespace echolux::flow {

struct SingularValue {
    float value;   ///< in the unit of the ensemble times the square root of a pixel
    float radians; ///< mean phase from frame to frame of its temporal vector, -pi to pi
};

/// Singular values `first` to `end` - 1, counted from 0 in falling order.
struct SingularRange {
    int first;
    int end;
};

enum class ChosenBy { Number, Similarity, Limits };

/// How a range of singular values is chosen.
/// Similarity: the magnitudes of the spatial vectors u[k] are correlated with each other over the
/// pixels. Tissue and blood are two squares on the diagonal of that matrix S, [0, a) and [a, b).
/// Kept is [a, b) with 1 <= a < b for which the correlation over all entries between S and a matrix
/// that is 1 in both squares and 0 elsewhere is largest (Baranger et al., Adaptive spatiotemporal
/// SVD clutter filtering for ultrafast Doppler imaging using similarity of spatial singular
/// vectors, IEEE Trans. Med. Imaging 37, 2018). A vector correlates with none where its magnitude
/// is the same everywhere, or where its value is more than 65 dB below the largest.
/// Limits: `first` is the first vector that turns by at least `leastRadians` per frame, and the
/// range ends before the first value that is less than `leastRatio` of the largest.
struct SingularRule {
    ChosenBy by = ChosenBy::Number;
    SingularRange range = {0, 0};
    float leastRadians = 0.0F;
    float leastRatio = 0.0F;
};

/// What findSingularParts() finds, in compute memory.
struct SingularParts {
    SingularValue* values; ///< [frames], largest first
    Complex* vectors;      ///< [frame][frames]: component f of right singular vector k at [f][k]
    SingularRange* range;  ///< one
};

/// Bytes of scratch memory for findSingularParts().
std::size_t singularBytes(int frames, std::int64_t pixels);

/// Finds all singular values of `ensemble.in`, and the range that `rule` chooses. The vectors are
/// eigenvectors of the Gram matrix of the frames, in double precision: values more than 150 dB
/// below the largest are lost in its rounding. Overwrites `ensemble.out` where the rule is
/// Similarity. Enqueues without waiting.
void findSingularParts(const Exec& exec, const char* name, const MixedFrames& ensemble,
                       const SingularRule& rule, void* scratch, const SingularParts& found);

/// Finds all singular values of each block of the images, from its own pixels, and the range that
/// `rule` chooses in it, all blocks at once: `vectors` [block][leadingSize(frames, frames)] and
/// `ranges` [block]. Not by similarity.
std::size_t singularBytes(int frames, const ImageBlocks& blocks);
void findPartsOfBlocks(const Exec& exec, const char* name, const MixedFrames& ensemble,
                       const ImageBlocks& blocks, const SingularRule& rule, void* scratch,
                       Complex* vectors, SingularRange* ranges);

/// Writes to `matrix` [frames][frames] the projection V V^H on the vectors of the range (Demene et
/// al., Spatiotemporal clutter filtering of ultrafast ultrasound data, IEEE Trans. Med. Imaging 34,
/// 2015).
void projectOnRange(const Exec& exec, const char* name, int frames, const SingularParts& found,
                    Complex* matrix);

} // namespace echolux::flow
