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
    int tile = 0;         ///< transmits per tile, 1 or 3; 0 chooses all of this, as measured best
    int lanesAcross = 8;  ///< lateral pixels of a warp: 32, 16 or 8, the rest lie in depth
    int warps = 8;        ///< of a block, a multiple of 32 / lanesAcross times `split`, up to 8
    int split = 1;        ///< groups of warps that share a pixel's elements: 1, 2 or 4
    bool exact = true;    ///< fraction within a sample, or the absolute index (less work, and an
                          ///< error of about samples * 1e-7 of a sample's slope)
    bool windows = false; ///< gather from shared memory: RF, tile 1, 3 or 5, or complex samples,
                          ///< tile 5; 8 warps, no split
};

/// Blocks of the windows that share a multiprocessor's registers and shared memory.
constexpr int windowBlocks(bool complex, int tile) {
    if (complex) return 2;
    return tile == 5 ? 3 : 4;
}

constexpr int kMaxTile = 5;
constexpr int kEnsembleFrames = 32; ///< frames of an ensemble are packed by so many

/// Where pack() puts samples; chosen on the host from geometry and parameters.
struct TunedLayout {
    bool complex = false;
    bool clamp = false; ///< indices can leave the padded record
    int frames = 1;     ///< more than 1: ensemble
    int tile = 1;
    int tiles = 1;
    int front = 0; ///< zeros before the record, in samples
    int pitch = 0; ///< samples of a padded record, or of a window
    int chunk = 0; ///< elements whose windows are in shared memory together; 0: no windows
    TunedVariant variant;

    std::size_t bytes(const Constants& k) const; ///< of the packed samples
};

/// What a padded record needs for all indices of this geometry, and some room for a lower speed of
/// sound; at most three times the record.
int tunedPitch(const Model& model);

/// Of the packed samples of one frame, with these transmits or fewer, whatever the layout.
std::size_t mostPackedBytes(const Model& model, bool complex);

/// False where no choice of live parameters makes tunedSuits() true: not an image of point elements
/// on a line that all transmits reach, or of receive weights that change over range.
bool tunedSuitsGeometry(const Model& model);

/// Of those of an ensemble of so many frames; 0 where they are imaged one by one: too few of them
/// fill the lanes, single frames are gathered from windows without packing, or it would be more
/// than a device has to spare.
std::size_t ensembleBytes(const Model& model, bool complex, int frames);

/// True where the tuned kernels compute what `model` asks for.
bool tunedSuits(const Model& model);

/// `pitch` is what the packed memory was sized for.
TunedLayout tunedLayout(const Model& model, bool complex, int frames, int pitch,
                        const TunedVariant& variant = {});

/// CUDA only; windows need no pack(). `constants` point to device memory; samples
/// [frame][transmit][element][sample], image [frame][depth][lateral].
void tunedPack(const Exec& exec, const Constants& constants, const TunedLayout& layout,
               const void* samples, void* packed);
void tunedSum(const Exec& exec, const Constants& constants, const TunedLayout& layout,
              const void* samples, const void* packed, void* image);

} // namespace echolux::das
