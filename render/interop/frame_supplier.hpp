// SPDX-License-Identifier: GPL-3.0-or-later
// How processed frames reach the GL thread: the newest frame, in compute memory, with an event that
// passes when it is ready. The session's mailbox implements it; views use it.
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
    std::int64_t frame = 0;   ///< number in the recording; of several frames in one image the last
    std::int64_t bscan = 0;   ///< number in the recording of the shown B-scan of the frame
    Exposure exposure = {};   ///< for views that find their display limits in the picture
    /// An image of the same frame that this one is drawn over; null: none.
    std::shared_ptr<const FrameSpec> beneathSpec = nullptr;
    const float* beneath = nullptr; ///< its pixels, where `pixels` are
    /// Where `pixels` are: two images as `spec` says, the velocity to the right and the velocity
    /// towards the probe, both 0 where nothing flows; null: none.
    const float* motion = nullptr;
};

/// All calls come from the GL thread.
class FrameSupplier {
public:
    virtual ~FrameSupplier() = default;
    /// The newest frame where it has not been acquired yet, else null. Valid until release().
    virtual const DisplayFrame* acquire() = 0;
    /// The reader has enqueued its last read of the acquired frame on `stream`. On the CPU `stream`
    /// is null, and the reader has finished reading.
    virtual void release(device::Stream stream) = 0;
    /// The acquired frame's picture has been swapped to the screen.
    virtual void presented(std::uint64_t serial) = 0;
};

} // namespace echolux
