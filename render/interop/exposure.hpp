// SPDX-License-Identifier: GPL-3.0-or-later
// Which pictures share the display limits that were found in one of them.
#pragma once

#include <cstdint>

namespace echolux {

struct Exposure {
    int kind = 0;              ///< limits that somebody chose are those of one kind
    std::uint64_t version = 0; ///< another one: limits that were found may fit no more
    bool operator==(const Exposure&) const = default;
};

} // namespace echolux
