// SPDX-License-Identifier: GPL-3.0-or-later
// The course's sums of neighbouring values, in steps of optimisation (after Harris, Optimizing
// Parallel Reduction in CUDA).
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstdint>

namespace echolux::ladder {

enum class SumStep {
    Sequential,   ///< one thread per sum
    Parallel,     ///< from here on one block per sum; a tree whose working threads are scattered
    StridedIndex, ///< the first threads work, on values that are apart, so no warp diverges
    Halving,      ///< the first threads work, on neighbouring values, so there are no bank
                  ///< conflicts either
    FirstAdd,     ///< each thread loads two values and adds them
    LastWarp,     ///< in addition one warp adds the last 64 values, without barriers
};

constexpr int kLeastSummed = 128;
constexpr int kMostSummed = 1024;

/// out[i] = sum of in[i * length] to in[i * length + length - 1], for 0 <= i < sums. length: a
/// power of two, kLeastSummed to kMostSummed; anything else throws std::logic_error.
void sumNeighbours(const Exec& exec, SumStep step, std::int64_t sums, int length, const float* in,
                   float* out);

} // namespace echolux::ladder
