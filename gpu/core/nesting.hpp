// SPDX-License-Identifier: GPL-3.0-or-later
// How deep texts may nest, found before a parser that recurses reads them.
#pragma once

#include <optional>
#include <string_view>

namespace echolux {

/// Most levels within each other that a file may have: groups, cells, sequences, tables, lists.
inline constexpr int kMostDepth = 64;

/// The line, from 1, in which a TOML text first nests deeper than kMostDepth: brackets and the
/// parts of dotted keys count. Nothing where it never does. Does not recurse, so that any text can
/// be asked; texts that are no TOML get some answer.
std::optional<int> lineNestedTooDeep(std::string_view toml);

} // namespace echolux
