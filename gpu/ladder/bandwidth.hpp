// SPDX-License-Identifier: GPL-3.0-or-later
// Measures memory bandwidth with values of 1, 2 or 4 floats, one per thread (Gronvold 2008, section
// 3.3.4).
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstdint>

namespace echolux::ladder {

enum class MemoryAccess { ReadAndWrite, Read, Write };

constexpr float kWritten = 0.5F;  ///< the value that Write stores
constexpr float kMark = 16384.0F; ///< the sum that Read looks for

/// Accesses `count` floats, a multiple of `width` (1, 2 or 4). `in` and `out` are in compute memory
/// and aligned to 16 bytes.
/// - ReadAndWrite: out = in.
/// - Read: out[0] = 1 where the floats of a value of `in` sum to kMark or more; nothing else.
/// - Write: every float of out = kWritten.
void touchMemory(const Exec& exec, MemoryAccess access, int width, std::int64_t count,
                 const float* in, float* out);

} // namespace echolux::ladder
