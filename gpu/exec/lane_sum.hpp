// SPDX-License-Identifier: GPL-3.0-or-later
// The sum, the least and the most over the lanes that share an item of forEachByLanes().
#pragma once

#include "gpu/exec/for_each.hpp"

namespace echolux {

/// Joins the values of all lanes, a float or a double each. All lanes receive the result.
template <int kStep, class T, class Join>
ECHOLUX_HD T laneFold(Lanes<kStep>, T value, [[maybe_unused]] const Join& join) {
#if defined(__CUDA_ARCH__)
    // Others of the warp may have no item.
    const unsigned mask = (0xffffffffU >> (32 - kStep)) << (threadIdx.x % 32 / kStep * kStep);
    for (int half = kStep / 2; half > 0; half /= 2)
        value = join(value, __shfl_xor_sync(mask, value, half));
#endif
    return value;
}

template <int kStep, class T> ECHOLUX_HD T laneSum(Lanes<kStep> lanes, T value) {
    return laneFold(lanes, value, [](T a, T b) { return a + b; });
}
template <int kStep, class T> ECHOLUX_HD T laneLeast(Lanes<kStep> lanes, T value) {
    return laneFold(lanes, value, [](T a, T b) { return b < a ? b : a; });
}
template <int kStep, class T> ECHOLUX_HD T laneMost(Lanes<kStep> lanes, T value) {
    return laneFold(lanes, value, [](T a, T b) { return a < b ? b : a; });
}

} // namespace echolux
