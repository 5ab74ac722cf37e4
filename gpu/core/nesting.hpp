// SPDX-License-Identifier: GPL-3.0-or-later
// Checks how deep texts nest, before a recursive parser reads them.
#pragma once

#include <optional>
#include <string_view>

namespace echolux {

/// Most levels of nesting that a file may have: groups, cells, sequences, tables, lists.
inline constexpr int kMostDepth = 64;

/// The line, from 1, in which a TOML text first nests deeper than kMostDepth; brackets and the
/// parts of dotted keys count. Empty where it never does. The function does not recurse, so any
/// text is safe. For a text that is no TOML the answer has no meaning.
std::optional<int> lineNestedTooDeep(std::string_view toml);

} // namespace echolux
