// SPDX-License-Identifier: GPL-3.0-or-later
// Tells which pictures may share display limits that were found in one of them.
#pragma once

#include <cstdint>

namespace echolux {

struct Exposure {
    int kind = 0;              ///< limits that a user chose apply to pictures of the same kind
    std::uint64_t version = 0; ///< when it changes, limits that were found before may no longer fit
    bool operator==(const Exposure&) const = default;
};

} // namespace echolux
