// SPDX-License-Identifier: GPL-3.0-or-later
// Divides a block of memory.
#pragma once

#include "gpu/stage/stage.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux {

/// Hands out the parts of a block of memory, one after the other, each aligned(). Without a block
/// the parts are null and bytes() says how large the block must be, so that plan() and run() share
/// one layout.
class MemoryParts {
public:
    explicit MemoryParts(void* memory) : m_memory(static_cast<std::byte*>(memory)) {}
    template <class T> T* take(std::int64_t count) {
        auto* part = m_memory == nullptr ? nullptr : reinterpret_cast<T*>(m_memory + m_bytes);
        m_bytes += aligned(static_cast<std::size_t>(count) * sizeof(T));
        return part;
    }
    std::size_t bytes() const { return m_bytes; }

private:
    std::byte* m_memory;
    std::size_t m_bytes = 0;
};

} // namespace echolux
