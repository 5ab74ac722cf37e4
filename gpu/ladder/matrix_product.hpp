// SPDX-License-Identifier: GPL-3.0-or-later
// The product of square matrices with tiles in shared memory, an example of van Bavel 2013, chapter
// 5.
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstdint>

namespace echolux::ladder {

constexpr std::int64_t kMatrixTile = 32; ///< side; a block of 32 x 32 threads computes a tile

/// c = a b for matrices [n][n] in compute memory. Throws std::logic_error where n is no multiple of
/// kMatrixTile.
void multiplyMatrices(const Exec& exec, std::int64_t n, const float* a, const float* b, float* c);

} // namespace echolux::ladder
