// SPDX-License-Identifier: GPL-3.0-or-later
// The hand-tuned CUDA kernels of `beamform`: linear interpolation, coherent sum, delays in the
// kernel, elements on one line. Two passes: pack() lays the samples out for the loads of sum().
//  - One frame: side-by-side pairs (x[n], x[n+1] - x[n]), so that one load serves an interpolation;
//    rows [tile of transmits][element][transmit of the tile], zeros before and after each record in
//    place of bounds checks, receive weights multiplied in. A thread owns a pixel; receive delay
//    and weight serve a tile of transmits, whose delays lie in registers.
//  - An ensemble of frames with the same geometry: [transmit][element][sample][frame], so that one
//    delay serves all frames and every load is a whole line.
#pragma once

#include "gpu/exec/exec.hpp"
#include "gpu/stages/beamform_model.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux::das {

/// How sum() divides the work. `echolux bench das --sweep` measures all of them.
struct TunedVariant {
    int tile = 0;        ///< transmits per tile; 0 chooses all of this, as measured best
    int lanesAcross = 8; ///< lateral pixels of a warp: 32, 16 or 8, the rest lie in depth
    int warps = 8;       ///< of a block, a multiple of 32 / lanesAcross times `split`, up to 8
    int split = 1;       ///< groups of warps that share a pixel's elements: 1, 2 or 4
    bool exact = true;   ///< fraction within a sample, or the absolute index (less work, and an
                         ///< error of about samples * 1e-7 of a sample's slope)
};

constexpr int kMaxTile = 15;
constexpr int kEnsembleFrames = 32; ///< frames of an ensemble are packed by so many

/// Where pack() puts samples; chosen on the host from geometry and parameters.
struct TunedLayout {
    bool complex = false;
    bool clamp = false; ///< indices can leave the padded record
    int frames = 1;     ///< more than 1: ensemble
    int tile = 1;
    int tiles = 1;
    int front = 0; ///< zeros before the record, in samples
    int pitch = 0; ///< samples of a padded record
    TunedVariant variant;

    std::size_t bytes(const Constants& k) const; ///< of the packed samples
    /// Of the packed samples of one frame, with as many transmits or fewer.
    std::size_t mostBytes(const Constants& k) const;
};

/// What a padded record needs for all indices of this geometry, and some room for a lower speed of
/// sound; at most three times the record.
int tunedPitch(const Model& model);

/// True where the tuned kernels compute what `model` asks for.
bool tunedSuits(const Model& model);

/// `pitch` is what the packed memory was sized for.
TunedLayout tunedLayout(const Model& model, bool complex, int frames, int pitch,
                        const TunedVariant& variant = {});

/// CUDA only. `constants` point to device memory; samples [frame][transmit][element][sample], image
/// [frame][depth][lateral].
void tunedPack(const Exec& exec, const Constants& constants, const TunedLayout& layout,
               const void* samples, void* packed);
void tunedSum(const Exec& exec, const Constants& constants, const TunedLayout& layout,
              const void* packed, void* image);

} // namespace echolux::das
