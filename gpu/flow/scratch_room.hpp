// SPDX-License-Identifier: GPL-3.0-or-later
// Divides scratch memory into parts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace echolux::flow {

/// Hands out parts of the scratch memory, those with the strictest alignment first. Without memory
/// it counts its bytes.
struct ScratchRoom {
    std::size_t bytes = 0;

    template <class T> T* take(void* scratch, std::int64_t count) {
        auto* part = scratch == nullptr ? nullptr : static_cast<std::byte*>(scratch) + bytes;
        bytes += static_cast<std::size_t>(count) * sizeof(T);
        return reinterpret_cast<T*>(part);
    }
};

} // namespace echolux::flow
