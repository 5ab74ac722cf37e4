// SPDX-License-Identifier: GPL-3.0-or-later
// The reference of stages that scale by the brightest pixel: a maximum that decays from frame to
// frame.
#pragma once

#include "gpu/stage/stage.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux {

constexpr std::size_t kRunningMaximumStateBytes = sizeof(float);
std::size_t runningMaximumWorkspaceBytes();

/// r[n] = max(max_i |x_i[n]|, r[n-1] decay), r[-1] = 0, over the finite x_i. A decay near 1 (0 <
/// decay <= 1) keeps the brightness from changing abruptly between frames. r is the stage's state.
/// Returns the address of r[n] in compute memory.
const float* followMaximum(const Exec& exec, const char* name, const float* frame,
                           std::int64_t count, float decay, const Workspace& workspace);
/// Enqueues r[n] = r[n-1], for frames that do not need the maximum.
void keepMaximum(const Exec& exec, const char* name, const Workspace& workspace);

} // namespace echolux
