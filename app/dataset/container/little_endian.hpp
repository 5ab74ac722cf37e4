// SPDX-License-Identifier: GPL-3.0-or-later
// Reads numbers whose least significant byte comes first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace echolux {

/// The number of `size` bytes (at most 8) from `at` on. Precondition: `bytes` has them.
inline std::uint64_t numberAt(std::span<const std::byte> bytes, std::size_t at, std::size_t size) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < size; ++i)
        number |= std::to_integer<std::uint64_t>(bytes[at + i]) << 8U * i;
    return number;
}

} // namespace echolux
