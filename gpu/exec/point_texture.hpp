// SPDX-License-Identifier: GPL-3.0-or-later
// Textures over plain memory that kernels read by index, for benches; other textures and
// destroyTexture() are in device_api.hpp.
#pragma once

#include "gpu/exec/device_api.hpp"

namespace echolux::device {

/// A texture over `count` values of 1, 2 or 4 floats in device memory. An integer index reads a
/// value as it is; beyond the ends there is 0.
Texture createPointTexture(const void* values, int floats, std::size_t count);

} // namespace echolux::device
