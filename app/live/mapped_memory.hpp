// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that another program shares, and may take away.
#pragma once

#include <cstddef>

namespace echolux {

struct MappedGuard;

/// A file in memory, for reading and writing. Where another program shortens the file, the rest of
/// the mapping becomes zeros of this process alone. Without this, the system ends a program that
/// touches what is gone (SIGBUS), and no look at the size before can prevent it. Any thread.
class MappedMemory {
public:
    /// Maps `bytes` of the file, which may then be closed.
    MappedMemory(int file, std::size_t bytes);
    MappedMemory(const MappedMemory&) = delete;
    MappedMemory& operator=(const MappedMemory&) = delete;
    ~MappedMemory();

    void* start() const { return m_start; } ///< null: the system refused
    std::size_t bytes() const { return m_bytes; }
    /// A part was gone when somebody touched it. What was read since then may be zeros.
    bool isTorn() const;

private:
    void* m_start = nullptr;
    std::size_t m_bytes;
    MappedGuard* m_guard = nullptr; ///< null: none was free
};

} // namespace echolux
