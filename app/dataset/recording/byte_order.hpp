// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers whose bytes lie in reverse order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace echolux {

/// Reverses the bytes of each number of `each` bytes: 1, 2, 4 or 8. Bytes that make no whole number
/// stay.
void turnBytes(std::uint8_t each, std::span<std::byte> bytes);

} // namespace echolux
