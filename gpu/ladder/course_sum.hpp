// SPDX-License-Identifier: GPL-3.0-or-later
// The course's sums of neighbouring values (after Harris, Optimizing Parallel Reduction in CUDA),
// step by step.
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstdint>

namespace echolux::ladder {

enum class SumStep {
    Sequential,   ///< a thread for each sum
    Parallel,     ///< from here on a block for each sum; a tree whose working threads are scattered
    StridedIndex, ///< the first threads work, on values that lie apart: no warp diverges
    Halving,      ///< the first threads work, on neighbouring values: no bank conflicts either
    FirstAdd,     ///< two values are added where one was loaded
    LastWarp,     ///< and the last 64 values are added by one warp, without barriers
};

constexpr int kLeastSummed = 128;
constexpr int kMostSummed = 1024;

/// out[i] = sum of in[i * length] to in[i * length + length - 1], for 0 <= i < sums. length: a
/// power of two, kLeastSummed to kMostSummed; anything else throws std::logic_error.
void sumNeighbours(const Exec& exec, SumStep step, std::int64_t sums, int length, const float* in,
                   float* out);

} // namespace echolux::ladder
