// SPDX-License-Identifier: GPL-3.0-or-later
// How many blocks of a kernel a multiprocessor holds at once.
#pragma once

#include "gpu/model/device.hpp"
#include "gpu/model/part.hpp"

#include <string_view>

namespace echolux::model {

struct Occupancy {
    double blocks = 1.0;         ///< of the launch that are active on a multiprocessor
    double threads = 1.0;        ///< theirs, as a share of those that a multiprocessor holds
    std::string_view limit = {}; ///< what permits no more: "threads", "blocks", "registers" or
                                 ///< "shared memory"; empty: no limit is known
};

/// The least of what threads, blocks, registers and shared memory of a multiprocessor permit. No
/// blocks: one does not fit. Limits of 0 do not bind. Registers are given to warps in pieces of
/// 256, shared memory to blocks in pieces of 128 bytes.
Occupancy occupancyOf(const Launch& launch, const Limits& limits);

/// Time of all blocks over that of blocks that divide evenly: 1 where they do, 2 where half of the
/// multiprocessors have nothing to do. Blocks begin in order, each where least is left to do; their
/// work falls evenly from Launch::heaviest.
double unevenness(const Launch& launch, double multiprocessors);

} // namespace echolux::model
