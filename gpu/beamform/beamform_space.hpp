// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned CUDA kernel for arrays and pixels anywhere in space: volumes, sectors, curved, matrix
// and row-column arrays, sub-apertures, waves' paths, coherence factor, incoherent compounding, any
// interpolation but textures. As for images below linear arrays, each block copies the short
// windows of the records that its pixels read into shared memory and gathers from there.
#pragma once

#include "gpu/beamform/beamform_model.hpp"
#include "gpu/exec/exec.hpp"

#include <optional>

namespace echolux::das {

/// How the weight of an element at a pixel is found.
enum class Weights {
    None,  ///< all are 1, elements are points, or lines along one axis, in a plane, and look down
    Flat,  ///< an f-number, elements as before
    Faces, ///< else: faces, lines along both axes, windows over the whole array, elements anywhere
};

/// Pixels of a block, and what its shared memory holds; chosen on the host.
struct SpaceLayout {
    bool complex = false;
    int across = 32; ///< columns of a block
    int slices = 1;
    int rows = 16;
    int frames = 1; ///< more than 1: of an ensemble, imaged together
    int tile = 1;   ///< transmits, or frames, whose windows are loaded together
    int pitch = 0;  ///< samples of a window
    int chunk = 0;  ///< elements whose windows are in shared memory together
    Weights weights = Weights::None;
    float countsX = 1.0F; ///< of the ways from all elements that are heard, but for Weights::Faces
    float countsY = 1.0F;
    int firstHeard = 0;   ///< element
    bool weighed = false; ///< sums of powers and weights
    bool taps = false;    ///< other than linear interpolation
};

constexpr int spaceThreads(int tile, bool taps) { return tile == 1 && !taps ? 512 : 256; }
/// Pixels of a thread; more need more registers than there are. plain: neither sums of powers nor
/// taps.
constexpr int spacePixels(bool complex, int tile, bool plain) {
    if (tile > 1) return complex ? 2 : 4;
    return plain ? 2 : 1;
}
constexpr int kSpaceBlocks = 2; ///< that share a multiprocessor's registers and shared memory
/// Shared memory for the windows of one transmit, or frame, of a tile of several.
constexpr int kSpaceRowBytes = 20 * 1024;

/// Empty where windows do not suit: waves that turn round at a focus, lines of single transmits,
/// records or geometries too large.
/// An ensemble is imaged together if a frame has one transmit; else layout.frames is 1.
std::optional<SpaceLayout> spaceLayout(const Model& model, bool complex, int frames);

/// CUDA only. `constants` point to device memory; samples [frame][transmit][channel][sample], image
/// [frame][elevation][depth][lateral].
void sumInSpace(const Exec& exec, const Constants& constants, const SpaceLayout& layout,
                const void* samples, void* image);

} // namespace echolux::das
