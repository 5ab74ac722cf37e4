// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose blocks all run at once, so that they can wait for each other. CUDA only.
#pragma once

#include "gpu/exec/device_api.hpp"

namespace echolux::device {

/// The number of blocks of `kernel` that the current device runs at once.
int blocksAtOnce(const void* kernel, int threads);

/// Enqueues a cooperative kernel. checkLaunch() reports a failure.
void launchTogether(const void* kernel, int blocks, int threads, void** arguments, Stream stream);

} // namespace echolux::device
