// SPDX-License-Identifier: GPL-3.0-or-later
// Measures memory bandwidth with values of 1, 2 or 4 floats, one per thread (Gronvold 2008, section
// 3.3.4).
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstdint>

namespace echolux::ladder {

enum class MemoryAccess { ReadAndWrite, Read, Write, TextureRead, TextureReadAndWrite };

constexpr float kWritten = 0.5F;  ///< the value that Write stores
constexpr float kMark = 16384.0F; ///< the sum that the reads look for

/// Both arrays are in compute memory and aligned to 16 bytes.
/// - ReadAndWrite: out = in.
/// - Read: out[0] = 1 where the floats of a value of `in` sum to kMark or more; nothing else.
/// - Write: every float of out = kWritten.
/// - TextureRead, TextureReadAndWrite: the same through a texture. A CPU reads `in`.
struct MemoryWork {
    MemoryAccess access = MemoryAccess::ReadAndWrite;
    int width = 1; ///< floats of a value: 1, 2 or 4
    const float* in = nullptr;
    float* out = nullptr;
    device::Texture texture = 0; ///< on CUDA: device::createPointTexture() over `in`
};

/// Accesses `count` floats, a multiple of the width, in blocks of 256 threads.
void touchMemory(const Exec& exec, const MemoryWork& work, std::int64_t count);

/// Accesses one value for each thread of `blocks` blocks of `threads` threads, 1024 at most
/// (figures 3.3 and 3.4). A CPU accesses as many values.
void touchMemoryInBlocks(const Exec& exec, const MemoryWork& work, std::int64_t blocks,
                         int threads);

} // namespace echolux::ladder
