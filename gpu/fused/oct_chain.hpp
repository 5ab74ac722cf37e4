// SPDX-License-Identifier: GPL-3.0-or-later
// The OCT chain from raw codes to decibels as one kernel.
#pragma once

#include "gpu/fused/fusion.hpp"

namespace echolux::fused {

/// spectrum_to_float, then any of background_subtract, dc_removal_moving, k_linearize, window and
/// dispersion in this order, inverse_fft, perhaps fixed_pattern, magnitude_log. For lines of a
/// multiple of 8 integer samples, at most 32 of which make one grid point, and transforms of
/// oct::kKernelGrids points without padding (8192 where a block can have 68 KiB of shared memory).
extern const Fusion kOctChain;

} // namespace echolux::fused
