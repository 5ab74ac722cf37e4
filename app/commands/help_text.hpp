// SPDX-License-Identifier: GPL-3.0-or-later
// Help pages, written in Markdown, as a terminal shows them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace echolux {

/// Headings, paragraphs, lists, code and tables of `markdown`, wrapped to `width` columns. A row
/// of a table becomes its first cell on a line, the others below it.
std::string forTerminal(std::string_view markdown, std::size_t width = 96);

} // namespace echolux
