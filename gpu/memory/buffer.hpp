// SPDX-License-Identifier: GPL-3.0-or-later
// Owned memory (host, pinned host or device), and counters of all allocations.
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux {

enum class MemoryKind {
    Host,   ///< aligned to 64 bytes
    Pinned, ///< page-locked, for copies that overlap with kernels
    Device,
};

/// Device memory on CUDA, host memory on the CPU.
constexpr MemoryKind computeMemory(Backend backend) {
    return backend == Backend::Cuda ? MemoryKind::Device : MemoryKind::Host;
}
/// Pinned on CUDA, host memory on the CPU.
constexpr MemoryKind stagingMemory(Backend backend) {
    return backend == Backend::Cuda ? MemoryKind::Pinned : MemoryKind::Host;
}

/// Move-only block of bytes. Throws OutOfMemory, which says how much was requested and how much is
/// free.
class Buffer {
public:
    Buffer() = default;
    Buffer(MemoryKind kind, std::size_t bytes);
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer();

    void* data() const { return m_data; }
    template <class T> T* as() const { return static_cast<T*>(m_data); }
    std::size_t bytes() const { return m_bytes; }
    MemoryKind kind() const { return m_kind; }

private:
    MemoryKind m_kind = MemoryKind::Host;
    void* m_data = nullptr;
    std::size_t m_bytes = 0;
};

/// Counters of the whole process. They only grow; tests and readouts use differences.
struct MemoryCounters {
    std::uint64_t allocations = 0;
    std::uint64_t hostToDevice = 0;
    std::uint64_t deviceToHost = 0; ///< copies of images and other whole frames
    std::uint64_t linesToHost = 0;  ///< copies of single lines, for plots
    std::uint64_t deviceToDevice = 0;
    std::uint64_t bytesHostToDevice = 0;
    std::uint64_t bytesDeviceHeld = 0; ///< current value; may fall
    std::uint64_t bytesHostHeld = 0;   ///< current value; pinned memory does not count
};
MemoryCounters memoryCounters();

} // namespace echolux
