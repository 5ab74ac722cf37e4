// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned CUDA kernel for arrays and pixels anywhere in space: volumes, sectors, curved, matrix
// and row-column arrays, sub-apertures, waves' paths, coherence factor, incoherent compounding, any
// interpolation but textures. As in the kernel for images below linear arrays, each block copies
// short windows of the records, which its pixels read, into shared memory and gathers from there.
#pragma once

#include "gpu/beamform/beamform_model.hpp"
#include "gpu/exec/exec.hpp"

#include <optional>

namespace echolux::das {

/// How the weight of an element at a pixel is computed.
enum class Weights {
    None,  ///< all weights are 1; elements are points or lines along one axis, in one plane, and
           ///< face downwards
    Flat,  ///< by an f-number; elements as for None
    Faces, ///< all other cases: faces, lines along both axes, windows over the whole array,
           ///< elements anywhere
};

/// How lines are interpolated between their samples. The usual ones have kernels of their own.
enum class Reading { Linear, UsualLagrange, UsualSinc, Any };

/// The pixels of a block, and the content of its shared memory. Chosen on the host.
struct SpaceLayout {
    bool complex = false;
    int across = 32; ///< columns of a block
    int slices = 1;
    int rows = 16;
    int frames = 1; ///< more than 1: frames of an ensemble that are imaged together
    int tile = 1;   ///< transmits, or frames, whose windows are loaded together
    int pitch = 0;  ///< samples from one window to the next in shared memory; no window is longer
    int chunk = 0;  ///< elements whose windows are in shared memory together
    Weights weights = Weights::None;
    float countsX = 1.0F; ///< 0 or 1 for the ways from all elements that are heard; not used with
                          ///< Weights::Faces
    float countsY = 1.0F;
    int firstHeard = 0;   ///< number of the first element that is heard
    bool weighed = false; ///< computes sums of powers and weights as well
    Reading reading = Reading::Linear;
    bool oneAxis = false; ///< the squared way from an element depends on its x alone, or on its y
                          ///< alone, besides a number of its own; not with Weights::Faces
    bool alongY = false;  ///< with oneAxis: on its y
};

constexpr int spaceThreads(bool ensemble, Reading reading) {
    return ensemble || reading == Reading::Any ? 256 : 512;
}
/// Pixels per thread; more would need too many registers. `plain`: neither sums of powers nor taps.
constexpr int spacePixels(bool complex, int tile, bool ensemble, bool plain) {
    if (ensemble) return complex ? 2 : 4;
    if (tile > 1) return complex ? 1 : 2;
    return plain ? 2 : 1;
}
constexpr int kSpaceBlocks = 2; ///< blocks that share a multiprocessor's registers and shared
                                ///< memory
/// Shared memory for the windows of one transmit (or frame), in a tile of several.
constexpr int kSpaceRowBytes = 20 * 1024;

/// True where each record counts fully. The kernel multiplies samples by the
/// weights of their records, and its sums of weights and powers leave these out.
bool recordsWeighAlike(const Model& model);

/// Empty where windows do not suit: for waves that converge to a focus and diverge again, for lines
/// of single transmits, for coherence and normalised sums of records that weigh differently, and
/// for too large records or geometries. The frames of an ensemble are
/// imaged together if a frame has one transmit; else layout.frames is 1.
std::optional<SpaceLayout> spaceLayout(const Model& model, bool complex, int frames);

/// CUDA only. `constants` point to device memory; samples [frame][transmit][channel][sample], image
/// [frame][elevation][depth][lateral].
void sumInSpace(const Exec& exec, const Constants& constants, const SpaceLayout& layout,
                const void* samples, void* image);

} // namespace echolux::das
