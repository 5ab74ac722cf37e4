// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands export and join say of this program and machine in parts.
#pragma once

#include "app/export/parts.hpp"

namespace echolux {

/// `gpu`: number of the GPU that computes where the backend is CUDA.
PartContext partContext(int gpu);

} // namespace echolux
