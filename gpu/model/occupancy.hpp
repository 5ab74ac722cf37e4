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

/// Blocks on the multiprocessor that has most of them, in relation to the mean over all: 1 where
/// the blocks divide evenly, 2 where half of the multiprocessors have nothing to do.
double unevenness(const Launch& launch, double multiprocessors);

} // namespace echolux::model
