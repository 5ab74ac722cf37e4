// SPDX-License-Identifier: GPL-3.0-or-later
// A kind of live source that a plugin brings.
#pragma once

#include "app/live/live_source.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace echolux {

/// The program calls open(), and then all functions of the source, from one thread of this source
/// alone. A call that does not return leaves the program running; the thread then stays behind.
struct LiveSourceType {
    /// Begins addresses, "name:options": small letters, digits and '_', unlike that of any other
    /// source.
    std::string_view name = {};
    std::string_view options = {}; ///< for people: "FILE", "HOST?port=4242"
    std::string_view help = {};    ///< one line
    /// `options`: what follows the colon. Throws Error with one sentence (what is wrong, what to
    /// do).
    std::unique_ptr<LiveSource> (*open)(const std::string& options) = nullptr;
};

} // namespace echolux
