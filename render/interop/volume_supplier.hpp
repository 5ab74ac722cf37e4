// SPDX-License-Identifier: GPL-3.0-or-later
// How a volume that is being collected reaches the GL thread: in compute memory, with the list of
// parts that have changed since the last acquire(). The session's volume store implements it.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/volume/volume.hpp"
#include "render/interop/exposure.hpp"

#include <cstdint>
#include <span>

namespace echolux {

/// B-scans first to first + count - 1; the range does not wrap round.
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
    device::Event ready = nullptr;       ///< CUDA: the reader's stream waits for it before reading;
                                         ///< null on the CPU
    std::uint64_t serial = 0;            ///< grows with every B-scan that came in
    std::span<const BscanRange> changed; ///< since the previous acquire()
    Exposure exposure = {};              ///< for pictures of the whole volume
};

/// All calls come from the GL thread.
class VolumeSupplier {
public:
    virtual ~VolumeSupplier() = default;
    /// Null where nothing has changed, and while the volume is being written; then another change
    /// will be announced. The returned volume does not change until release().
    virtual const DisplayVolume* acquire() = 0;
    /// The reader has enqueued its last read on `stream`. On the CPU `stream` is null, and the
    /// reader has finished reading.
    virtual void release(device::Stream stream) = 0;
    /// There is a new reader: everything counts as changed.
    virtual void offerAgain() = 0;
};

} // namespace echolux
