// SPDX-License-Identifier: GPL-3.0-or-later
// The sum over the lanes that share an item of forEachByLanes().
#pragma once

#include "gpu/exec/for_each.hpp"

namespace echolux {

/// Sums `value`, a float or a double, over the lanes. All lanes receive the sum.
template <int kStep, class T> ECHOLUX_HD T laneSum(Lanes<kStep>, T value) {
#if defined(__CUDA_ARCH__)
    // Others of the warp may have no item.
    const unsigned mask = (0xffffffffU >> (32 - kStep)) << (threadIdx.x % 32 / kStep * kStep);
    for (int half = kStep / 2; half > 0; half /= 2) value += __shfl_xor_sync(mask, value, half);
#endif
    return value;
}

} // namespace echolux
