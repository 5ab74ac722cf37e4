// SPDX-License-Identifier: GPL-3.0-or-later
// Counts as text.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace echolux {

/// "1 frame", "2 frames"
inline std::string counted(std::int64_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

} // namespace echolux
