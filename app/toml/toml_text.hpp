// SPDX-License-Identifier: GPL-3.0-or-later
// The one way from a text to TOML.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace echolux {

/// Most levels of tables and lists within each other; each part of a dotted key counts.
inline constexpr int kMostTomlDepth = 64;

/// Parses any text, also one that was made to exhaust a parser. `kind` says what it should be:
/// "sidecar". Throws Error: "x.toml is no sidecar: line 3, column 1 is not valid TOML; correct it
/// there."
toml::table tomlOf(std::string_view text, const std::string& origin, std::string_view kind);

} // namespace echolux
