// SPDX-License-Identifier: GPL-3.0-or-later
// How a volume that is being collected reaches the GL thread: in compute memory, with what has
// changed since the last look. Implemented by the session's volume store.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/volume/volume.hpp"
#include "render/interop/exposure.hpp"

#include <cstdint>
#include <span>

namespace echolux {

/// B-scans first .. first + count - 1, without wrapping round.
struct BscanRange {
    std::int64_t first = 0;
    std::int64_t count = 0;
    bool operator==(const BscanRange&) const = default;
};

struct DisplayVolume {
    FrameSpec spec; ///< axes elevation, lateral, depth; valueRange. Its dtype says nothing.
    VolumeShape shape;
    const Half* voxels = nullptr; ///< device memory on CUDA, host memory on the CPU
    Backend backend = Backend::Cpu;
    device::Event ready = nullptr;       ///< CUDA: to be waited for before reading; null on the CPU
    std::uint64_t serial = 0;            ///< grows with every B-scan that came in
    std::span<const BscanRange> changed; ///< since the volume was acquired before
    Exposure exposure = {};              ///< of pictures of it as a whole
};

/// All calls come from the GL thread.
class VolumeSupplier {
public:
    virtual ~VolumeSupplier() = default;
    /// Null where nothing has changed, or while it is being written: then more news will follow.
    /// What is returned stands still until release().
    virtual const DisplayVolume* acquire() = 0;
    /// The reader has enqueued its last read on `stream` (null on the CPU: it has read).
    virtual void release(device::Stream stream) = 0;
    /// A new reader: everything counts as changed.
    virtual void offerAgain() = 0;
};

} // namespace echolux
