// SPDX-License-Identifier: GPL-3.0-or-later
// How processed frames reach the GL thread: the newest one, in compute memory, with the event that
// says when it is ready. Implemented by the session's mailbox, used by whoever draws.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "gpu/exec/exec.hpp"
#include "render/interop/exposure.hpp"

#include <cstdint>
#include <memory>

namespace echolux {

struct DisplayFrame {
    /// f32 [depth][lateral] or [lateral][depth], axes in metres, valueRange set; not null.
    std::shared_ptr<const FrameSpec> spec;
    const float* pixels = nullptr; ///< device memory on CUDA, host memory on the CPU
    Backend backend = Backend::Cpu;
    device::Event ready =
        nullptr; ///< CUDA: the GL thread's stream waits for it before reading; null on the CPU
    std::uint64_t serial = 0; ///< grows with every processed frame
    std::int64_t frame = 0;   ///< number in the recording, the last of several that went into it
    std::int64_t bscan = 0;   ///< the same of the B-scan that is shown of the frame
    Exposure exposure = {};   ///< for views that find their limits in what they show
};

/// All calls come from the GL thread.
class FrameSupplier {
public:
    virtual ~FrameSupplier() = default;
    /// The newest frame if there is one that has not been acquired yet, else null. Stays valid
    /// until release().
    virtual const DisplayFrame* acquire() = 0;
    /// The reader has enqueued its last read of the acquired frame on `stream` (null on the CPU: it
    /// has read).
    virtual void release(device::Stream stream) = 0;
    /// The acquired frame's picture has been swapped to the screen.
    virtual void presented(std::uint64_t serial) = 0;
};

} // namespace echolux
