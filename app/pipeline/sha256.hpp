// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-256 of what lies in memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace echolux {

/// 64 hexadecimal digits.
std::string sha256Of(std::span<const std::byte> bytes);

} // namespace echolux
