// SPDX-License-Identifier: GPL-3.0-or-later
// Formats help pages, written in Markdown, for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace echolux {

/// Formats headings, paragraphs, lists, code and tables, wrapped to `width` columns. Of a table
/// row, the first cell is on a line of its own, and the other cells are below it.
std::string forTerminal(std::string_view markdown, std::size_t width = 96);

} // namespace echolux
