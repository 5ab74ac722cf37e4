// SPDX-License-Identifier: GPL-3.0-or-later
// The hand-tuned CUDA kernels of `beamform`: linear interpolation, coherent sum, delays in the
// kernel, elements on one line.
//  - One frame of several transmits, complex samples of many: each block copies the short windows
//    of the records that its pixels read into shared memory and gathers from there.
// The others take two passes: pack() lays the samples out for the loads of sum().
//  - One frame of few transmits, or whose windows do not fit: pairs (x[n], x[n+1] - x[n]) side by
//    side; rows [tile of transmits][element][transmit of the tile], zeros before and after each
//    record in place of bounds checks, receive weights multiplied in. A thread owns a pixel;
//    receive delay and weight serve a tile of transmits, whose delays lie in registers.
//  - An ensemble of frames with the same geometry: [transmit][element][sample][frame], so that one
//    delay serves all frames and every load is a whole line.
#pragma once

#include "gpu/beamform/beamform_model.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux::das {

/// How sum() divides the work. `echolux bench das --sweep` measures all of them.
struct TunedVariant {
    int tile = 0;         ///< transmits per tile, 1 or 3; 0: tunedLayout() chooses all members
    int lanesAcross = 8;  ///< lateral pixels of a warp: 32, 16 or 8; the others are in depth
    int warps = 8;        ///< warps of a block, a multiple of 32 / lanesAcross times `split`, up to
                          ///< 8
    int split = 1;        ///< groups of warps that share a pixel's elements: 1, 2 or 4
    bool exact = true;    ///< true: interpolates by the fraction within a sample. False: by the
                          ///< absolute index, which is less work and has an error of about
                          ///< samples * 1e-7 of a sample's slope
    bool windows = false; ///< gathers from shared memory. RF: tile 1, 3 or 5. Complex samples: tile
                          ///< 5. With 8 warps and without a split
};

/// Blocks of the kernel with windows that share a multiprocessor's registers and shared memory.
constexpr int windowBlocks(bool complex, int tile) {
    if (complex) return 2;
    return tile == 5 ? 3 : 4;
}

constexpr int kMaxTile = 5;
constexpr int kEnsembleFrames = 32; ///< frames of an ensemble are packed in groups of this size

/// Where pack() writes samples. Chosen on the host from geometry and parameters.
struct TunedLayout {
    bool complex = false;
    bool clamp = false; ///< indices may leave the padded record and must be clamped
    int frames = 1;     ///< more than 1: frames of an ensemble
    int tile = 1;
    int tiles = 1;
    int front = 0; ///< zeros before the record, in samples
    int pitch = 0; ///< length of a padded record, or of a window, in samples
    int chunk = 0; ///< elements whose windows are in shared memory together; 0: no windows
    TunedVariant variant;

    std::size_t bytes(const Constants& k) const; ///< size of the packed samples
};

/// Length of a padded record for all indices of this geometry, with some room for a lower speed of
/// sound. At most three times the record.
int tunedPitch(const Model& model);

/// Bytes of the packed samples of one frame, with these transmits or fewer, for any layout.
std::size_t mostPackedBytes(const Model& model, bool complex);

/// False where tunedSuits() is false whatever the live parameters are: the grid is no Cartesian
/// image in the plane y = 0, elements are not points of equal y, a transmit does not reach all
/// pixels, channels are not the elements, or receive weights change over range.
bool tunedSuitsGeometry(const Model& model);

/// Bytes of the packed samples of an ensemble of `frames` frames. 0 where the frames are imaged one
/// by one: because they are too few to fill the lanes, because single frames are gathered from
/// windows without packing, or because the device has not enough memory.
std::size_t ensembleBytes(const Model& model, bool complex, int frames);

/// True where the tuned kernels can compute `model`.
bool tunedSuits(const Model& model);

/// `pitch` is the pitch that the packed memory was allocated for.
TunedLayout tunedLayout(const Model& model, bool complex, int frames, int pitch,
                        const TunedVariant& variant = {});

/// CUDA only; windows need no pack(). `constants` point to device memory; samples
/// [frame][transmit][element][sample], image [frame][depth][lateral].
void tunedPack(const Exec& exec, const Constants& constants, const TunedLayout& layout,
               const void* samples, void* packed);
void tunedSum(const Exec& exec, const Constants& constants, const TunedLayout& layout,
              const void* samples, const void* packed, void* image);

} // namespace echolux::das
