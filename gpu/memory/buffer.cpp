// SPDX-License-Identifier: GPL-3.0-or-later
// Allocation, copies and their counters.
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/preparation.hpp"
#include "gpu/memory/transfer.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <new>
#include <utility>

namespace echolux {
namespace {

constexpr std::size_t kHostAlignment = 64;

std::atomic<std::uint64_t> s_allocations;
std::atomic<std::uint64_t> s_hostToDevice;
std::atomic<std::uint64_t> s_deviceToHost;
std::atomic<std::uint64_t> s_linesToHost;
std::atomic<std::uint64_t> s_deviceToDevice;
std::atomic<std::uint64_t> s_bytesHostToDevice;
std::atomic<std::uint64_t> s_bytesHeld[3]; // by MemoryKind
thread_local int s_preparations = 0;

std::atomic<std::uint64_t>& bytesHeld(MemoryKind kind) {
    return s_bytesHeld[static_cast<std::size_t>(kind)];
}

constexpr double kMiB = 1024.0 * 1024.0;

void* allocateDevice(std::size_t bytes) {
    const std::size_t available = device::freeBytes();
    if (bytes > available) {
        throw OutOfMemory(fmt::format(
            "The GPU has {:.0f} MiB free but {:.0f} MiB more are needed; reduce the image grid "
            "or the transmits, or use the CPU backend.",
            static_cast<double>(available) / kMiB, static_cast<double>(bytes) / kMiB));
    }
    return device::allocate(bytes);
}

void* allocateHost(std::size_t bytes) {
    void* pointer = ::operator new(bytes, std::align_val_t(kHostAlignment), std::nothrow);
    if (pointer == nullptr) {
        throw OutOfMemory(fmt::format(
            "{:.0f} MiB of memory are needed and not free; reduce the image grid or close other "
            "programs.",
            static_cast<double>(bytes) / kMiB));
    }
    return pointer;
}

} // namespace

Preparation::Preparation() { ++s_preparations; }
Preparation::~Preparation() { --s_preparations; }

Buffer::Buffer(MemoryKind kind, std::size_t bytes) : m_kind(kind), m_bytes(bytes) {
    if (bytes == 0) return;
    switch (kind) {
    case MemoryKind::Host: m_data = allocateHost(bytes); break;
    case MemoryKind::Pinned: m_data = device::allocatePinned(bytes); break;
    case MemoryKind::Device: m_data = allocateDevice(bytes); break;
    }
    bytesHeld(kind) += bytes;
    if (s_preparations == 0) ++s_allocations;
}

Buffer::Buffer(Buffer&& other) noexcept
    : m_kind(other.m_kind), m_data(std::exchange(other.m_data, nullptr)),
      m_bytes(std::exchange(other.m_bytes, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    std::swap(m_kind, other.m_kind);
    std::swap(m_data, other.m_data);
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

Buffer::~Buffer() {
    if (m_data == nullptr) return;
    switch (m_kind) {
    case MemoryKind::Host: ::operator delete(m_data, std::align_val_t(kHostAlignment)); break;
    case MemoryKind::Pinned: device::releasePinned(m_data); break;
    case MemoryKind::Device: device::release(m_data); break;
    }
    bytesHeld(m_kind) -= m_bytes;
}

MemoryCounters memoryCounters() {
    return {s_allocations,
            s_hostToDevice,
            s_deviceToHost,
            s_linesToHost,
            s_deviceToDevice,
            s_bytesHostToDevice,
            bytesHeld(MemoryKind::Device),
            bytesHeld(MemoryKind::Host)};
}

void upload(const Exec& exec, void* compute, const void* host, std::size_t bytes) {
    if (bytes == 0) return;
    if (exec.backend == Backend::Cpu) {
        std::memcpy(compute, host, bytes);
        return;
    }
    device::copy(compute, host, bytes, device::Direction::HostToDevice, exec.stream);
    countUpload(bytes);
}

void download(const Exec& exec, void* host, const void* compute, std::size_t bytes) {
    downloadRaw(exec, host, compute, bytes);
    if (bytes > 0 && exec.backend == Backend::Cuda) ++s_deviceToHost;
}

void downloadRaw(const Exec& exec, void* host, const void* compute, std::size_t bytes) {
    if (bytes == 0) return;
    if (exec.backend == Backend::Cpu) {
        std::memcpy(host, compute, bytes);
        return;
    }
    device::copy(host, compute, bytes, device::Direction::DeviceToHost, exec.stream);
}

void downloadLine(const Exec& exec, void* host, const void* compute, std::size_t pieceBytes,
                  std::size_t count, std::size_t strideBytes) {
    if (exec.backend == Backend::Cpu) {
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(static_cast<std::byte*>(host) + i * pieceBytes,
                        static_cast<const std::byte*>(compute) + i * strideBytes, pieceBytes);
        }
        return;
    }
    device::gather(host, compute, pieceBytes, count, strideBytes, exec.stream);
    ++s_linesToHost;
}

void countImageToHost() { ++s_deviceToHost; }

void countUpload(std::size_t bytes) {
    ++s_hostToDevice;
    s_bytesHostToDevice += bytes;
}

void copyWithin(const Exec& exec, void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    if (exec.backend == Backend::Cpu) {
        std::memcpy(to, from, bytes);
        return;
    }
    device::copy(to, from, bytes, device::Direction::DeviceToDevice, exec.stream);
    ++s_deviceToDevice;
}

void fillBytes(const Exec& exec, void* to, int byte, std::size_t bytes) {
    if (bytes == 0) return;
    if (exec.backend == Backend::Cpu) {
        std::memset(to, byte, bytes);
        return;
    }
    device::fill(to, byte, bytes, exec.stream);
}

} // namespace echolux
