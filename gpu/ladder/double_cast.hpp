// SPDX-License-Identifier: GPL-3.0-or-later
// Doubles to floats in one launch (Herikstad 2009, section 4.3.3).
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstdint>

namespace echolux::ladder {

/// out[i] = in[i] in single precision, all in compute memory. On CUDA at most 512 blocks of 512
/// threads share the values, as in the document.
void castToFloat(const Exec& exec, const double* in, std::int64_t count, float* out);

} // namespace echolux::ladder
