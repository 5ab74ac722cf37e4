// SPDX-License-Identifier: GPL-3.0-or-later
// The way of frames to the graphics card, in words for the user.
#pragma once

#include <string>

namespace echolux {

struct DisplayPath {
    bool interop = false; ///< false: upload from the host
    std::string badge;    ///< short: "interop, 0 copies to host", "upload: CPU backend"
    std::string reason;   ///< one sentence
    bool operator==(const DisplayPath&) const = default;
};

} // namespace echolux
