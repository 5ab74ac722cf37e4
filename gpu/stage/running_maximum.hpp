// SPDX-License-Identifier: GPL-3.0-or-later
// The reference of stages that scale by the brightest pixel: a maximum that follows the frames.
#pragma once

#include "gpu/exec/exec.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux {

/// r[n] = max(max_i |x_i[n]|, r[n-1] decay), r[-1] = 0, over the finite x_i; 0 < decay <= 1 keeps
/// the image from pumping. Stays in compute memory. For stateful stages: one frame after the other.
class RunningMaximum {
public:
    static std::size_t workspaceBytes();
    void prepare(const Exec& exec);
    void reset(const Exec& exec);
    /// Takes one frame in; `workspace` holds workspaceBytes(). Returns where r lies.
    const float* enqueue(const Exec& exec, const char* name, const float* frame, std::int64_t count,
                         float decay, void* workspace);

private:
    Buffer m_value;
};

} // namespace echolux
