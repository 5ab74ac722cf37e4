// SPDX-License-Identifier: GPL-3.0-or-later
// What `bandpass` does, for the performance model.
#pragma once

#include "gpu/stage/stage_work.hpp"
#include "gpu/stages/front_end_tables.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace echolux {

/// Sizes of its kernels.
struct BandpassKernels {
    double unroll = 8.0;    ///< outputs of a thread, and taps that it applies at once
    double mostReach = 0.0; ///< taps of one side that shared memory has room for
    double hostTile = 0.0;  ///< outputs of a tile on the CPU
};

/// Counts filterKernel on CUDA and FilterTile on the CPU: the loop over the taps of one side has an
/// addition and an FFMA per tap and output. On CUDA `unroll` taps of as many outputs need
/// 2 (2 unroll - 1) loads from shared memory; on the CPU a tap needs two loads, and the sum
/// another two accesses.
inline std::vector<model::Kernel> bandpassKernels(const PlannedStage& stage,
                                                  const BandpassKernels& kernels) {
    const FrameSpec& input = stage.inputs[0];
    const auto count = static_cast<double>(input.count());
    const auto samples = static_cast<double>(input.axes.back().size);
    const double unroll = kernels.unroll;
    const bool forward = !front::isZeroPhase(stage.params);
    if (forward) { // ForwardTile: one FFMA and one load per tap
        const auto taps = static_cast<double>(front::bandpassTaps(input, stage.params).size());
        return {forEachWork(stage.backend, "bandpass", input.count(),
                            {.bytesRead = 4.0 * taps,
                             .bytesWritten = 4.0,
                             .distinctRead = 4.0,
                             .counts = {.ffma = taps, .offsets = 3.0 * taps},
                             .divisions = 1.0})};
    }
    const auto taps = static_cast<double>(front::bandpassTaps(input, stage.params).size());
    const double reach = std::ceil((taps - 1.0) / unroll) * unroll;
    const bool cuda = stage.backend == Backend::Cuda;
    const double wanted = std::ceil(samples / (unroll * 32.0)) * 32.0;
    const double threads = std::min(wanted, 128.0);
    const double tile = cuda ? threads * unroll : static_cast<double>(kernels.hostTile);
    const double tiles = count / samples * std::ceil(samples / tile);
    const double fetched = tiles * (tile + 2.0 * reach);
    const double loads = cuda ? 2.0 * (2.0 * unroll - 1.0) / (unroll * unroll) : 4.0;
    const double accesses = count * (1.0 + reach * loads) + (cuda ? 2.0 * count : 0.0);
    const double shared = cuda ? (threads * unroll + 2.0 * kernels.mostReach) * 4.5 : 0.0;
    return {{"bandpass",
             {tiles, cuda ? threads : 1.0, 64.0, shared},
             {{.name = "fetch",
               .globalBytes = 4.0 * fetched,
               .distinctBytes = 4.0 * count,
               .sharedBytes = 4.0 * fetched,
               .offsets = (cuda ? 8.0 : 1.0) * fetched, // index, two comparisons, padding, address
               .barriers = 1.0,
               .storesPerLoad = 1.0},
              {.name = "compute",
               .sharedBytes = 4.0 * accesses,
               .ffma = count * reach,
               .fmul = count,
               .fadd = count * reach,
               .offsets = cuda ? count * reach / unroll : 0.0,
               .barriers = 2.0},
              {.name = "store", .globalBytes = 4.0 * count, .offsets = cuda ? 8.0 * count : 0.0}}}};
}

} // namespace echolux
