// SPDX-License-Identifier: GPL-3.0-or-later
// How many blocks of a kernel a multiprocessor holds at once.
#pragma once

#include "gpu/model/device.hpp"
#include "gpu/model/part.hpp"

namespace echolux::model {

/// The least of what threads, blocks, registers and shared memory of a multiprocessor permit. 0: a
/// block does not fit. Limits of 0 do not bind. Registers are given to warps in pieces of 256,
/// shared memory to blocks in pieces of 128 bytes.
double activeBlocks(const Launch& launch, const Limits& limits);

/// Time of all blocks over that of blocks that divide evenly: 1 where they do, 2 where half of the
/// multiprocessors have nothing to do. Blocks begin in order, each where least is left to do; their
/// work falls evenly from Launch::heaviest.
double unevenness(const Launch& launch, double multiprocessors);

} // namespace echolux::model
