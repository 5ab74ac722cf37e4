// SPDX-License-Identifier: GPL-3.0-or-later
// Fused multiply-add for inner loops.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/portable.hpp"

#include <cmath>

namespace echolux {

/// a * b + c; rounded once where the processor has an instruction for it. NOTE: host code of .cu
/// files is compiled without contraction. A compiler contracts a vectorised loop and its remainder
/// in different ways, so results would depend on how threads divide the work.
ECHOLUX_HD inline float multiplyAdd(float a, float b, float c) {
#if defined(__CUDA_ARCH__) || defined(__FP_FAST_FMAF)
    return fmaf(a, b, c);
#else
    return a * b + c;
#endif
}
ECHOLUX_HD inline Complex multiplyAdd(float a, Complex b, Complex c) {
    return {multiplyAdd(a, b.re, c.re), multiplyAdd(a, b.im, c.im)};
}

} // namespace echolux
