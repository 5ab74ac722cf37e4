// SPDX-License-Identifier: GPL-3.0-or-later
// The OCT chain from raw codes to decibels as one kernel.
#pragma once

#include "gpu/fused/fusion.hpp"

namespace echolux::fused {

/// spectrum_to_float, then any of background_subtract, dc_removal_moving, k_linearize, window and
/// dispersion in this order, inverse_fft, perhaps fixed_pattern, magnitude_log. Conditions: the
/// number of samples of a line is a multiple of 8, samples are integers, at most 32 of them make
/// one grid point, and the transform has a length of oct::kKernelGrids without padding. (8192
/// points need 68 KiB of shared memory per block.)
extern const Fusion kOctChain;

} // namespace echolux::fused
